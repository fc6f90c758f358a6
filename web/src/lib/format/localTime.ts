/**
 * Converts an instant (ISO 8601 UTC) to the format of `datetime-local`, in the browser's time zone: `2026-01-15T09:30`.
 * @param keepsSeconds whether to append the seconds and milliseconds if they are not zero
 */
export function toDateTimeLocal(iso: string, { keepsSeconds = false } = {}): string {
  const date = new Date(iso);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  return keepsSeconds ? local.replace(/(:00)?\.000Z$|Z$/, '') : local.slice(0, 16);
}
