import { useSyncExternalStore } from 'react';

/** Interval at which texts such as "há 2 minutos" are updated. */
const TICK_MS = 10_000;

const ABSOLUTE = { dateStyle: 'short', timeStyle: 'short' } as const;
const absoluteFormat = new Intl.DateTimeFormat('pt-BR', ABSOLUTE);
const timeFormat = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'medium' });
const dayAndTimeFormat = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
/** Always writes a number, never "ontem": 47 hours ago is "há 1 dia", but may be the day before yesterday. */
const relativeFormat = new Intl.RelativeTimeFormat('pt-BR');
const nowFormat = new Intl.RelativeTimeFormat('pt-BR', { numeric: 'auto' });
const UNIT_SECONDS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A date and time in the browser's time zone, e.g. "20/11/2026, 21:04". @param iso ISO 8601 UTC */
export const formatDateTime = (iso: string): string => absoluteFormat.format(new Date(iso));

/** The time since an instant in words: "há 3 dias", "agora". */
export function formatRelativeTime(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  for (const [unit, unitSeconds] of UNIT_SECONDS)
    if (Math.abs(seconds) >= unitSeconds) return relativeFormat.format(Math.trunc(seconds / unitSeconds), unit);
  return nowFormat.format(0, 'second');
}

/**
 * The date and time. Hover shows the time since then.
 *
 * @param at ISO 8601 UTC
 * @param timeZone IANA name; the text ends with it. Without it, the time is in the browser's time zone.
 */
export const DateTime = ({ at, timeZone }: { at: string; timeZone?: string }) => (
  <time dateTime={at} title={formatRelativeTime(at)}>
    {timeZone ? `${new Date(at).toLocaleString('pt-BR', { ...ABSOLUTE, timeZone })} (${timeZone})` : formatDateTime(at)}
  </time>
);

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Uses one timer for all times on screen. A hidden page updates its times at the first tick after it is shown. */
function subscribeToTicks(listener: () => void): () => void {
  const tick = () => {
    if (!document.hidden) for (const notify of listeners) notify();
  };
  if (listeners.size === 0) timer = setInterval(tick, TICK_MS);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The time since an instant in words, kept up to date. Hover shows the exact time. @param at ISO 8601 UTC */
export function RelativeTime({ at }: { at: string }) {
  const text = useSyncExternalStore(subscribeToTicks, () => formatRelativeTime(at));
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {text}
    </time>
  );
}

/** An instant with its seconds, and with its date unless the date is today. @param at ISO 8601 UTC */
export function ClockTime({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {(date.toDateString() === new Date().toDateString() ? timeFormat : dayAndTimeFormat).format(date)}
    </time>
  );
}
