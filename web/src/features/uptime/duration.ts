import { uptimeMessages as messages } from './uptime.messages';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** Formats a duration: `45 s`, `12 min`, `2 h 5 min`, `1 d 3 h`. @param seconds not negative */
export function formatDowntime(seconds: number): string {
  if (seconds < MINUTE_S) return messages.seconds(Math.round(seconds));
  if (seconds < HOUR_S) return messages.minutes(Math.floor(seconds / MINUTE_S));
  if (seconds < DAY_S) return messages.hours(Math.floor(seconds / HOUR_S), Math.floor((seconds % HOUR_S) / MINUTE_S));
  return messages.longDays(Math.floor(seconds / DAY_S), Math.floor((seconds % DAY_S) / HOUR_S));
}
