import { toDayStart, toInstant, toWallTime } from '../../../platform/time/local-time';
import { DAY_MS, MINUTE_MS } from '../../../platform/time/relative-time';
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
  const { minutes } = toWallTime(firstStart, timeZone); // Whole minutes: `start` adds the seconds of `firstStart`.
  const occurrences: { from: number; until: number }[] = [];
  // `day` is the midnight in UTC of a local day, because local midnights can be 23 or 25 hours apart.
  const lastDay = toDayStart(until, timeZone);
  for (let day = toDayStart(Math.max(firstStart, from - durationMs), timeZone); day <= lastDay; day += DAY_MS) {
    if (!weekdays.includes(new Date(day).getUTCDay())) continue;
    const start = toInstant(day + minutes * MINUTE_MS, timeZone) + (firstStart % MINUTE_MS);
    if (start >= firstStart && overlaps(start)) occurrences.push({ from: start, until: start + durationMs });
  }
  return occurrences;
}

/** Whether a window is open at an instant, in ms since the epoch. */
export const isWindowOpen = (window: WindowTimes, now: number, timeZone: string): boolean =>
  findOccurrences(window, { from: now, until: now + 1 }, timeZone).length > 0;
