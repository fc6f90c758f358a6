import { backupsMessages } from './backups.messages';

const { schedule: messages } = backupsMessages;

/** The schedules that the form offers by name. Every other cron line is `custom`. */
export type Schedule =
  | { frequency: 'off' }
  | { frequency: 'daily'; time: string }
  | { frequency: 'weekly'; time: string; weekday: number }
  | { frequency: 'custom' };

/** Parses a cron line of five fields. A time is `HH:MM`, and a weekday is 0 (Sunday) to 6. */
export function parseSchedule(cron: string | null | undefined): Schedule {
  if (!cron) return { frequency: 'off' };
  const [, minute = '', hour = '', weekday = ''] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-6])$/.exec(cron) ?? [];
  if (weekday === '') return { frequency: 'custom' };
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  return weekday === '*' ? { frequency: 'daily', time } : { frequency: 'weekly', time, weekday: Number(weekday) };
}

/** The highest number in each field of a cron line. */
const CRON_LIMITS = [59, 23, 31, 12, 7];

/** Whether a cron line has five fields, a single number as its minute, and no number above the limit of its field. */
export function isPlausibleCron(cron: string): boolean {
  const fields = cron.trim().split(/ +/);
  const isInRange = (limit: number, index: number) =>
    (fields[index]?.match(/\d+/g) ?? []).every((number) => Number(number) <= limit);
  return /^\d+( +\S+){4}$/.test(cron.trim()) && CRON_LIMITS.every(isInRange);
}

/** Returns the cron line for a time (`HH:MM`) on one weekday (0 to 6), or on every day (`*`). */
export function formatCron(time: string, weekday: string): string {
  const [hour, minute] = time.split(':').map(Number);
  return `${minute} ${hour} * * ${weekday}`;
}

/** The schedule in words, with its time zone, which may not be the reader's. */
export function formatSchedule(cron: string | null | undefined, zone: string): string {
  const schedule = parseSchedule(cron);
  if (schedule.frequency === 'off') return messages.off;
  if (schedule.frequency === 'daily') return messages.daily(schedule.time, zone);
  if (schedule.frequency === 'custom') return messages.custom(cron ?? '', zone);
  return messages.weekly(messages.weekdays[schedule.weekday] ?? '', schedule.time, zone);
}
