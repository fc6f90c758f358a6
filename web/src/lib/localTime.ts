/** An instant (ISO 8601 UTC) as `datetime-local` takes it, in the administrator's own zone: `2026-01-15T09:30`. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
