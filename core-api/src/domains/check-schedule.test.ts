import { nextCheckMs } from './check-schedule';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Minutes at which a host that never gets in order is checked. */
function checkMinutes(): number[] {
  const at: number[] = [];
  for (let nowMs: number | null = 0; nowMs !== null; ) {
    at.push(nowMs / MINUTE_MS);
    nowMs = nextCheckMs({ healthy: false, checks: at.length, watchedSinceMs: 0, nowMs });
  }
  return at;
}

test('ten checks in 20 minutes, then slower up to every four hours, for 7 days', () => {
  const checks = checkMinutes();
  expect(checks.slice(0, 10)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  const pauses = checks.slice(1).map((at, index) => at - (checks[index] ?? 0));
  expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
  expect(pauses.at(-1)).toBe(240);
  expect(checks.at(-1)).toBeGreaterThan(6.5 * 24 * 60);
  expect(checks.at(-1)).toBeLessThanOrEqual(7 * 24 * 60);
});

test('a host in order is checked daily, however long it has been monitored', () => {
  expect(nextCheckMs({ healthy: true, checks: 1, watchedSinceMs: 0, nowMs: 90 * DAY_MS })).toBe(91 * DAY_MS);
});
