import type { KeyLimit } from '../../decide/verdict';
import type { ToPrimary } from '../messages';
import { RateLeases } from './rate-leases';

const limit: KeyLimit = { keyId: 'k', requests: 1_000, seconds: 1 };

/** A worker's leases, and what it told the primary. */
function leases() {
  const told: ToPrimary[] = [];
  const own = new RateLeases((message) => told.push(message));
  const grant = (given: number, slice: number, now: number) =>
    own.granted({ type: 'leased', keyId: 'k', given, slice, endsAt: (slice + 2) * 50, waitMs: 500 }, now);
  return { own, told, grant, asked: () => told.filter(({ type }) => type === 'lease').length };
}

test('the next lease is asked for before the present one ends: no request waits for it', async () => {
  const { own, told, grant, asked } = leases();
  const first = own.take(limit, 1);
  grant(50, 0, 1);
  expect(await first).toBe(0);
  expect([own.take(limit, 40), asked()]).toEqual([0, 1]);
  expect([own.take(limit, 60), own.take(limit, 61), asked()]).toEqual([0, 0, 2]);
  grant(50, 1, 62);
  // What is left of the first is given back, and it has ended.
  expect(told.at(-1)).toEqual({ type: 'give-back', keyId: 'k', unused: 46, slice: 0 });
  expect(own.take(limit, 105)).toBe(0);
});

test('what lapses unused can be had again, also after a refusal', async () => {
  const { own, grant, asked } = leases();
  const first = own.take(limit, 1);
  grant(50, 0, 1);
  expect(await first).toBe(0);
  own.take(limit, 60);
  grant(0, 1, 61);
  expect([own.take(limit, 70), asked()]).toEqual([0, 2]);
  const next = own.take(limit, 101);
  expect(asked()).toBe(3);
  grant(50, 2, 102);
  expect(await next).toBe(0);
});
