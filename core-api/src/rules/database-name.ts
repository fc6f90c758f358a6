/** What PostgreSQL keeps of an identifier. */
export const MAX_DATABASE_NAME_BYTES = 63;

/** Controls and invisible marks, blanks, `/`, `\` and `"`. */
const FORBIDDEN = /[\p{C}\p{Z}/\\"]/u;

/**
 * The generated name (product §3): the tenant's name in lower case with runs of whitespace as underscores, after the
 * project's prefix and an underscore when there is one; empty for an empty name.
 */
export function databaseName(tenantName: string, dbPrefix: string): string {
  const name = tenantName.trim().toLowerCase().replace(/\s+/g, '_');
  return name && dbPrefix ? `${dbPrefix}_${name}` : name;
}

/** Every printable character but blanks, `/`, `\` and `"`, 1 to 63 bytes (contract §3). */
export const isDatabaseName = (name: string): boolean =>
  name !== '' && !FORBIDDEN.test(name) && Buffer.byteLength(name) <= MAX_DATABASE_NAME_BYTES;
