import { HOUR_MS, MINUTE_MS } from '../../platform/time/units';
import { nextCheckMs } from './check-schedule';

/** Minutes in its first two days at which a host that is never healthy is checked. */
function checkMinutes(): number[] {
  const at: number[] = [];
  for (let nowMs = 0; nowMs < 48 * HOUR_MS; ) {
    at.push(nowMs / MINUTE_MS);
    nowMs = nextCheckMs({ healthy: false, checks: at.length, nowMs });
  }
  return at;
}

test('an unhealthy host is checked ten times in 20 minutes, then at growing intervals of at most an hour', () => {
  const checks = checkMinutes();
  expect(checks.slice(0, 10)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  const pauses = checks.slice(1).map((at, index) => at - (checks[index] ?? 0));
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses.at(-1)).toBe(60);
});

test('a healthy host is checked hourly', () => {
  expect(nextCheckMs({ healthy: true, checks: 1, nowMs: 0 })).toBe(HOUR_MS);
});
