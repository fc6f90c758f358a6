/** Returns the code of a system error, such as `ECONNREFUSED`, or an empty text for a value without a code. */
export const getErrorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** Returns the message of an error, or the text of any other thrown value. */
export const getErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
