import { MINUTE_MS } from '../../platform/time/relative-time';
import { fc } from '../../testing/properties';
import { RateWindow } from './rate-window';

test('a full window permits requests again when the oldest requests leave the window', () => {
  const window = new RateWindow(100, 60);
  const nearSliceEnd = MINUTE_MS * 1000 - 10;
  expect(window.acquire(70, nearSliceEnd).granted).toBe(70);
  expect(window.acquire(70, nearSliceEnd + 20_000).granted).toBe(30);
  expect(window.acquire(1, nearSliceEnd + 59_999).granted).toBe(0);
  expect(window.acquire(100, nearSliceEnd + 63_000).granted).toBe(70);
  expect(window.acquire(100, nearSliceEnd + 79_999).granted).toBe(0);
  expect(window.acquire(100, nearSliceEnd + 83_000).granted).toBe(30);
});

test.each([
  [1, 86_400],
  [7, 60],
  [3, 1],
])('for %d requests in %d s, waitMs is the time until one more request may pass', (requests, seconds) => {
  const window = new RateWindow(requests, seconds);
  let now = 1_700_000_000_123;
  for (let turn = 0; turn < 20; turn += 1) {
    const { waitMs } = window.acquire(requests, now);
    expect(waitMs).toBeGreaterThan(0);
    // Because of leases, a request counts two slices longer than the window. Two slices are at most 10 % of a window.
    expect(waitMs).toBeLessThanOrEqual(seconds * 1100);
    expect(window.acquire(1, now + waitMs - 1).granted).toBe(0);
    now += waitMs;
    expect(window.acquire(0, now).waitMs).toBe(0);
  }
});

test('no window has more requests than the limit, even if leases are used just before they expire', () => {
  const step = fc.record({ afterMs: fc.integer({ min: 0, max: 400 }), requested: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (steps, requests) => {
      const window = new RateWindow(requests, 1);
      const leases: { from: number; to: number; granted: number }[] = [];
      let now = 1_700_000_000_000;
      for (const { afterMs, requested } of steps) {
        now += afterMs;
        const { granted, expiresAt } = window.acquire(requested, now);
        if (granted > 0) leases.push({ from: now, to: expiresAt - 1, granted });
      }
      for (const { to } of leases) {
        const within = leases.filter((lease) => lease.to >= to && lease.from < to + 1_000);
        expect(within.reduce((sum, { granted }) => sum + granted, 0)).toBeLessThanOrEqual(requests);
      }
    }),
  );
});

test('a limit of 200 requests is used to at least 90 % if 500 requests arrive in each window', () => {
  for (const seconds of [1, 10, 60]) {
    const window = new RateWindow(200, seconds);
    const start = 1_700_000_000_000;
    let passedCount = 0;
    for (let now = start; now < start + 20 * seconds * 1000; now += seconds * 2)
      passedCount += window.acquire(1, now).granted;
    expect(passedCount).toBeLessThanOrEqual(200 * 20);
    expect(passedCount).toBeGreaterThan(200 * 20 * 0.9);
  }
});

test('refunded requests are available again while their slice is within the window', () => {
  const window = new RateWindow(10, 60);
  const { slice } = window.acquire(10, 0);
  window.refund(4, slice);
  expect(window.acquire(10, 1).granted).toBe(4);
  window.refund(3, slice);
  expect(window.acquire(10, MINUTE_MS / 2).granted).toBe(3);
  window.refund(3, slice);
  expect(window.acquire(10, 2 * MINUTE_MS).granted).toBe(10);
  window.refund(10, slice);
  expect(window.acquire(10, 2 * MINUTE_MS).granted).toBe(0);
});

test('the counts stay if the clock is set back by less than a window, and are reset if it is set back further', () => {
  const window = new RateWindow(10, 60);
  const now = 100 * MINUTE_MS;
  expect(window.acquire(10, now).granted).toBe(10);
  expect(window.acquire(10, now - MINUTE_MS / 2).granted).toBe(0);
  expect(window.acquire(10, now + MINUTE_MS / 2).granted).toBe(0);
  expect(window.acquire(10, now - 10 * MINUTE_MS).granted).toBe(10);
});

test('requests of another machine leave the window at the same age as requests of this machine', () => {
  const window = new RateWindow(100, 10);
  const now = 1_700_000_000_000;
  for (let age = 0; age < 30; age += 1) window.add(10, now, now - age * 1000);
  // The requests of the last ten seconds fill the window.
  expect(window.acquire(100, now).granted).toBe(0);
  expect(window.acquire(100, now + 5_400).granted).toBe(50);
});
