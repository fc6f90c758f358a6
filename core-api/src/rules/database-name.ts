const ALLOWED = /^[\p{L}\p{M}\p{N}_-]+$/u;
const LONGEST = 63;

/**
 * The generated name (product-spec §3): the tenant's name in lower case with runs of whitespace as underscores, after the
 * project's prefix and an underscore when there is one; empty for an empty name.
 */
export function databaseName(tenantName: string, dbPrefix: string): string {
  const name = tenantName.trim().toLowerCase().replace(/\s+/g, '_');
  return name && dbPrefix ? `${dbPrefix}_${name}` : name;
}

/** Letters, digits, `_` and `-` only, at most 63 bytes (contract §3). */
export const isDatabaseName = (name: string): boolean => ALLOWED.test(name) && Buffer.byteLength(name) <= LONGEST;
