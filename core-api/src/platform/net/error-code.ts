/** The code of a system error, such as `ECONNREFUSED` or `ENOENT`; empty for any other value. */
export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
