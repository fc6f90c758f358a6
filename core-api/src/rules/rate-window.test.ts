import { fc } from '../testing/properties';
import { RateWindow } from './rate-window';

const MINUTE_MS = 60_000;

test('a full window opens when what was used leaves it, not where a slice or a minute ends', () => {
  const window = new RateWindow(100, 60);
  const start = MINUTE_MS * 1000 - 10;
  expect(window.take(70, start).given).toBe(70);
  expect(window.take(70, start + 20_000).given).toBe(30);
  expect(window.take(1, start + 59_999).given).toBe(0);
  expect(window.take(100, start + 63_000).given).toBe(70);
  expect(window.take(100, start + 79_999).given).toBe(0);
  expect(window.take(100, start + 83_000).given).toBe(30);
});

test.each([
  [1, 86_400],
  [7, 60],
  [3, 1],
])('%d in %d s: it says when one more may pass', (requests, seconds) => {
  const window = new RateWindow(requests, seconds);
  const start = 1_700_000_000_123;
  let now = start;
  for (let turn = 0; turn < 20; turn += 1) {
    const { waitMs } = window.take(requests, now);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(seconds * 1100);
    expect(window.take(1, now + waitMs - 1).given).toBe(0);
    now += waitMs;
    expect(window.take(0, now).waitMs).toBe(0);
  }
});

test('no window of its length holds more than the limit, whatever comes and however late a lease is used', () => {
  const step = fc.record({ afterMs: fc.integer({ min: 0, max: 400 }), wanted: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (steps, requests) => {
      const window = new RateWindow(requests, 1);
      const used: { from: number; to: number; given: number }[] = [];
      let now = 1_700_000_000_000;
      for (const { afterMs, wanted } of steps) {
        now += afterMs;
        const { given, endsAt } = window.take(wanted, now);
        if (given > 0) used.push({ from: now, to: endsAt - 1, given });
      }
      for (const { to } of used) {
        const within = used.filter((lease) => lease.to >= to && lease.from < to + 1_000);
        expect(within.reduce((sum, { given }) => sum + given, 0)).toBeLessThanOrEqual(requests);
      }
    }),
  );
});

test('under more than it permits it lets through the limit, to a tenth', () => {
  for (const seconds of [1, 10, 60]) {
    const window = new RateWindow(200, seconds);
    const start = 1_700_000_000_000;
    let passed = 0;
    for (let now = start; now < start + 20 * seconds * 1000; now += seconds * 2) passed += window.take(1, now).given;
    expect(passed).toBeLessThanOrEqual(200 * 20);
    expect(passed).toBeGreaterThan(200 * 20 * 0.9);
  }
});

test('what is given back is there again while its slice is within the window', () => {
  const window = new RateWindow(10, 60);
  const { slice } = window.take(10, 0);
  window.giveBack(4, slice);
  expect(window.take(10, 1).given).toBe(4);
  window.giveBack(3, slice);
  expect(window.take(10, MINUTE_MS / 2).given).toBe(3);
  window.giveBack(3, slice);
  expect(window.take(10, 2 * MINUTE_MS).given).toBe(10);
  window.giveBack(10, slice);
  expect(window.take(10, 2 * MINUTE_MS).given).toBe(0);
});

test('a clock that is set back begins no new window, one that was far ahead does', () => {
  const window = new RateWindow(10, 60);
  const now = 100 * MINUTE_MS;
  expect(window.take(10, now).given).toBe(10);
  expect(window.take(10, now - MINUTE_MS / 2).given).toBe(0);
  expect(window.take(10, now + MINUTE_MS / 2).given).toBe(0);
  expect(window.take(10, now - 10 * MINUTE_MS).given).toBe(10);
});
