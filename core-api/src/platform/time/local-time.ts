import { DAY_MS, MINUTE_MS } from './relative-time';

/** The time on a clock in some time zone of the IANA database. */
export interface WallTime {
  /** `YYYY-MM-DD` */
  day: string;
  /** 0 (Sunday) to 6. */
  weekday: number;
  /** Minutes since midnight. */
  minutes: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const cachedFormat = formats.get(timeZone);
  if (cachedFormat) return cachedFormat;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);
  return format;
}

/** The last result is reused, because the checks of many targets need the same minute. */
let lastResult: { minute: number; timeZone: string; wallTime: WallTime } | undefined;

/** Converts milliseconds since the epoch to wall time. */
export function toWallTime(ms: number, timeZone: string): WallTime {
  const minute = Math.floor(ms / MINUTE_MS);
  if (lastResult?.minute !== minute || lastResult.timeZone !== timeZone)
    lastResult = { minute, timeZone, wallTime: computeWallTime(ms, timeZone) };
  return lastResult.wallTime;
}

function computeWallTime(ms: number, timeZone: string): WallTime {
  const parts = Object.fromEntries(
    getFormat(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const day = `${parts.year}-${parts.month}-${parts.day}`;
  return {
    day,
    weekday: new Date(`${day}T00:00:00Z`).getUTCDay(),
    minutes: Number(parts.hour) * 60 + Number(parts.minute),
  };
}

/** Returns midnight UTC of a local day, ms since the epoch. These midnights are `DAY_MS` apart. */
export const toDayStart = (ms: number, timeZone: string): number => Date.parse(toWallTime(ms, timeZone).day);

/**
 * Converts wall time to ms since the epoch by the rule of RFC 5545 §3.3.5: a repeated time means its first occurrence,
 * and a skipped time has the UTC offset before the gap.
 * @param wall the instant at which a clock in UTC shows the wall time
 */
export function toInstant(wall: number, timeZone: string): number {
  const toWall = (ms: number) => toDayStart(ms, timeZone) + toWallTime(ms, timeZone).minutes * MINUTE_MS;
  const applyOffsetAt = (ms: number) => wall - (toWall(ms) - ms);
  const [earlier, later] = [applyOffsetAt(wall - DAY_MS), applyOffsetAt(wall + DAY_MS)];
  return toWall(earlier) !== wall && toWall(later) === wall ? later : earlier;
}

export function isTimeZone(name: string): boolean {
  try {
    getFormat(name);
    return true;
  } catch {
    return false;
  }
}

/** Splits an interval at the starts of local days. `from` and `until` are milliseconds since the epoch. */
export function splitByDay(from: number, until: number, timeZone: string): { day: string; ms: number }[] {
  const parts: { day: string; ms: number }[] = [];
  for (let start = from; start < until; ) {
    const { day, minutes } = toWallTime(start, timeZone);
    // A day is taken as 24 hours. A 25th hour becomes a second part. A day of 23 hours takes an hour of the next day.
    const end = Math.min(until, start - (start % MINUTE_MS) + (24 * 60 - minutes) * MINUTE_MS);
    parts.push({ day, ms: end - start });
    start = end;
  }
  return parts;
}
