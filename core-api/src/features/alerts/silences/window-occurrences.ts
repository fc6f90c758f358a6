import { toWallTime } from '../../../platform/time/local-time';
import { DAY_MS, MINUTE_MS } from '../../../platform/time/units';
import type { MaintenanceWindow } from '../alert-settings.entity';

export type WindowTimes = Pick<MaintenanceWindow, 'startsAt' | 'endsAt' | 'weekdays'>;

/** The occurrences of a maintenance window that overlap an interval; all values in ms since the epoch. */
export function findOccurrences(
  { startsAt, endsAt, weekdays }: WindowTimes,
  { from, until }: { from: number; until: number },
  timeZone: string,
): { from: number; until: number }[] {
  const firstStart = Date.parse(startsAt);
  const durationMs = Date.parse(endsAt) - firstStart;
  const overlaps = (start: number) => start < until && start + durationMs > from;
  if (weekdays.length === 0) return overlaps(firstStart) ? [{ from: firstStart, until: firstStart + durationMs }] : [];
  const { minutes } = toWallTime(firstStart, timeZone);
  const occurrences: { from: number; until: number }[] = [];
  for (let instant = Math.max(firstStart, from - durationMs - DAY_MS); instant < until + DAY_MS; instant += DAY_MS) {
    // The start has the window's wall time on the day of this instant, even if the UTC offset has changed.
    const minutesToStart = minutes - toWallTime(instant, timeZone).minutes;
    const start = instant - (instant % MINUTE_MS) + minutesToStart * MINUTE_MS + (firstStart % MINUTE_MS);
    if (start >= firstStart && weekdays.includes(toWallTime(start, timeZone).weekday) && overlaps(start))
      occurrences.push({ from: start, until: start + durationMs });
  }
  return occurrences;
}

/** Whether a window is open at an instant, in ms since the epoch. */
export const isWindowOpen = (window: WindowTimes, now: number, timeZone: string): boolean =>
  findOccurrences(window, { from: now, until: now + 1 }, timeZone).length > 0;
