/** PostgreSQL truncates longer identifiers (NAMEDATALEN - 1). */
export const MAX_DATABASE_NAME_BYTES = 63;

/** Control characters, invisible marks, blanks, `/`, `\` and `"`. */
const FORBIDDEN = /[\p{C}\p{Z}/\\"]/u;

/**
 * Generates the database name (product §3): the prefix and an underscore if there is a prefix, then the tenant's name
 * in lower case with underscores for whitespace. The result is empty for an empty name.
 */
export function createDatabaseName(tenantName: string, dbPrefix: string): string {
  const name = tenantName.trim().toLowerCase().replace(/\s+/g, '_');
  return name && dbPrefix ? `${dbPrefix}_${name}` : name;
}

/** Whether a name has 1 to 63 bytes of printable characters other than blanks, `/`, `\` and `"` (contract §3). */
export const isDatabaseName = (name: string): boolean =>
  name !== '' && !FORBIDDEN.test(name) && Buffer.byteLength(name) <= MAX_DATABASE_NAME_BYTES;
