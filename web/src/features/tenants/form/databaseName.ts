import { foldAccents } from '../../../lib/format/foldAccents';

/**
 * The generated name of a tenant's database (product §3): the project's prefix with an underscore, if there is one, and
 * the tenant's name in lower case with underscores for whitespace. Empty for an empty name. The core has the same
 * formula, and both are tested with `scripts/checks/database-names.json`.
 */
export function createDatabaseName(tenantName: string, dbPrefix: string): string {
  const name = tenantName.trim().toLowerCase().replace(/\s+/g, '_');
  return name && dbPrefix ? `${dbPrefix}_${name}` : name;
}

/**
 * Returns a name that PostgreSQL and MySQL accept without quotes: lower-case letters, digits and underscores, without a
 * digit first. Empty if nothing remains. A plain name is unchanged.
 */
export function suggestPlainDatabaseName(name: string): string {
  if (/^[a-z_][a-z\d_]*$/.test(name)) return name;
  const plain = foldAccents(name)
    .replace(/[^a-z\d_]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
  return /^\d/.test(plain) ? `db_${plain}` : plain;
}
