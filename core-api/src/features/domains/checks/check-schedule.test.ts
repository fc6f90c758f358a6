import { HOUR_MS, MINUTE_MS } from '../../../platform/time/relative-time';
import { computeNextCheckMs } from './check-schedule';

/** Simulates two days of checks of a host that is never healthy. @returns the minute of each check */
function simulateCheckMinutes(): number[] {
  const minutes: number[] = [];
  for (let nowMs = 0; nowMs < 48 * HOUR_MS; ) {
    minutes.push(nowMs / MINUTE_MS);
    nowMs = computeNextCheckMs({ isHealthy: false, checks: minutes.length, nowMs });
  }
  return minutes;
}

test('an unhealthy host is checked ten times in 20 minutes, then at growing intervals of at most an hour', () => {
  const checkMinutes = simulateCheckMinutes();
  expect(checkMinutes.slice(0, 10)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  const pauses = checkMinutes.slice(1).map((minute, index) => minute - (checkMinutes[index] ?? 0));
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses.at(-1)).toBe(60);
});

test('a healthy host is checked hourly', () => {
  expect(computeNextCheckMs({ isHealthy: true, checks: 1, nowMs: 0 })).toBe(HOUR_MS);
});
