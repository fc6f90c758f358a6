import { CronExpressionParser } from 'cron-parser';
import { HOUR_MS } from '../../platform/time/units';

/** The times of a schedule after an instant. */
function times(schedule: string, timeZone: string, after: Date) {
  return CronExpressionParser.parse(schedule, { tz: timeZone, currentDate: after });
}

export type ScheduleFault = 'invalid' | 'often';

/**
 * Runs of a schedule with one minute are at least an hour apart. A schedule with several minutes has two runs within an
 * hour.
 * @returns undefined for a valid schedule
 */
export function scheduleFault(schedule: string): ScheduleFault | undefined {
  if (!/^\S+( +\S+){4}$/.test(schedule)) return 'invalid';
  try {
    const parsed = CronExpressionParser.parse(schedule, { tz: 'UTC' });
    parsed.next();
    return parsed.fields.minute.values.length === 1 ? undefined : 'often';
  } catch {
    return 'invalid';
  }
}

/** The first time of a schedule after an instant (ISO 8601 UTC). */
export const nextRun = (schedule: string, timeZone: string, after: string): string =>
  times(schedule, timeZone, new Date(after)).next().toDate().toISOString();

/** The instant at which a verified backup that started at `after` is too old: 1.5 intervals and an hour later. */
export function overdueAt(schedule: string, timeZone: string, after: string): string {
  const expression = times(schedule, timeZone, new Date(after));
  const next = expression.next().getTime();
  const following = expression.next().getTime();
  return new Date(next + (following - next) / 2 + HOUR_MS).toISOString();
}
