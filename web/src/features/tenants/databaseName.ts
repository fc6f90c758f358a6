/**
 * The generated name of a tenant's database (product §3): the tenant's name in lower case with runs of whitespace as
 * underscores, after the project's prefix and an underscore when there is one; empty for an empty name.
 * The core has the same formula; both are tested against `scripts/checks/database-names.json`.
 */
export function databaseName(tenantName: string, dbPrefix: string): string {
  const name = tenantName.trim().toLowerCase().replace(/\s+/g, '_');
  return name && dbPrefix ? `${dbPrefix}_${name}` : name;
}
