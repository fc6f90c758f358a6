/** Returns the instant `ms` from now in ISO 8601 (UTC). A negative `ms` gives an instant in the past. */
export const toIsoFromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();
