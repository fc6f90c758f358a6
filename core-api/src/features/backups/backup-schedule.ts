import { CronExpressionParser } from 'cron-parser';
import { HOUR_MS } from '../../platform/time/relative-time';

/** Parses a schedule. @returns an iterator of its times after an instant */
function parseSchedule(schedule: string, timeZone: string, after: Date) {
  return CronExpressionParser.parse(schedule, { tz: timeZone, currentDate: after });
}

export type ScheduleViolation = 'invalid' | 'noTime' | 'tooOften';

/**
 * Checks that a schedule has five fields and at least one time. It must name one minute only, so that runs are at least
 * an hour apart.
 * @returns undefined for a valid schedule; `noTime` if the parser rejects a field or finds no time
 */
export function findScheduleViolation(schedule: string): ScheduleViolation | undefined {
  if (!/^\S+( +\S+){4}$/.test(schedule)) return 'invalid';
  try {
    const expression = CronExpressionParser.parse(schedule, { tz: 'UTC' });
    expression.next();
    return expression.fields.minute.values.length === 1 ? undefined : 'tooOften';
  } catch {
    return 'noTime';
  }
}

/** The first time of a schedule after an instant (ISO 8601 UTC). */
export const findNextRun = (schedule: string, timeZone: string, after: string): string =>
  parseSchedule(schedule, timeZone, new Date(after)).next().toDate().toISOString();

/** The instant at which a verified backup that started at `startedAt` is too old: 1.5 intervals and an hour later. */
export function findOverdueAt(schedule: string, timeZone: string, startedAt: string): string {
  const expression = parseSchedule(schedule, timeZone, new Date(startedAt));
  const nextRun = expression.next().getTime();
  const secondRun = expression.next().getTime();
  return new Date(nextRun + (secondRun - nextRun) / 2 + HOUR_MS).toISOString();
}
