/**
 * Converts an instant (ISO 8601 UTC) to the format of `datetime-local`, in the browser's time zone: `2026-01-15T09:30`.
 */
export function toDateTimeLocal(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
