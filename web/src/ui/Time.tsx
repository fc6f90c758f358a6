const absolute = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat('pt-BR', { numeric: 'auto', style: 'long' });
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A date and time of the administrator's own zone, e.g. "20/11/2026, 21:04". @param iso ISO 8601 UTC */
export const dateTime = (iso: string): string => absolute.format(new Date(iso));

/** "há 3 dias", "ontem", "agora". */
export function relativeTime(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return relative.format(0, 'second');
}

/** A moment as people say it; the exact one on hover and for machines. @param at ISO 8601 UTC */
export const RelativeTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={dateTime(at)}>
    {relativeTime(at)}
  </time>
);
