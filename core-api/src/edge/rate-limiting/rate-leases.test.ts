import type { CountedLimit } from '../../routing/routing-decision';
import type { ToPrimary } from '../ipc/messages';
import { RateLeases } from './rate-leases';

/** The primary counts a key's window in slices. A lease expires one slice after the end of its own slice. */
const SLICE_MS = 50;
const limit: CountedLimit = { counterId: 'k', requests: 1_000, seconds: 1 };

/** Creates the leases of a worker, and records its messages to the primary. */
function createLeases() {
  const sentMessages: ToPrimary[] = [];
  const rateLeases = new RateLeases((message) => sentMessages.push(message));
  const grant = (granted: number, slice: number, now: number) =>
    rateLeases.onLeaseReply(
      { type: 'lease-reply', counterId: 'k', granted, slice, expiresAt: (slice + 2) * SLICE_MS, waitMs: 500 },
      now,
    );
  return {
    rateLeases,
    sentMessages,
    grant,
    countLeaseRequests: () => sentMessages.filter(({ type }) => type === 'request-lease').length,
  };
}

test('the next lease is requested in advance, so that no request waits for it', async () => {
  const { rateLeases, sentMessages, grant, countLeaseRequests } = createLeases();
  const firstResult = rateLeases.acquire(limit, 1);
  grant(50, 0, 1);
  expect(await firstResult).toBe(0);
  expect([rateLeases.acquire(limit, 40), countLeaseRequests()]).toEqual([0, 1]);
  expect([rateLeases.acquire(limit, 60), rateLeases.acquire(limit, 61), countLeaseRequests()]).toEqual([0, 0, 2]);
  grant(50, 1, 62);
  // The second lease replaces the first lease, of which four requests were used.
  expect(sentMessages.at(-1)).toEqual({ type: 'return-lease', counterId: 'k', unused: 50 - 4, slice: 0 });
  expect(rateLeases.acquire(limit, 105)).toBe(0);
});

test('when a partly used lease expires, the next lease is requested immediately, even after a refusal', async () => {
  const { rateLeases, grant, countLeaseRequests } = createLeases();
  const firstResult = rateLeases.acquire(limit, 1);
  grant(50, 0, 1);
  expect(await firstResult).toBe(0);
  rateLeases.acquire(limit, 60);
  grant(0, 1, 61);
  expect([rateLeases.acquire(limit, 70), countLeaseRequests()]).toEqual([0, 2]);
  const nextResult = rateLeases.acquire(limit, 101);
  expect(countLeaseRequests()).toBe(3);
  grant(50, 2, 102);
  expect(await nextResult).toBe(0);
});

test('after a refused lease, the next lease is requested immediately if the clock was set back', async () => {
  const { rateLeases, grant, countLeaseRequests } = createLeases();
  const day = 86_400_000;
  const refusedRequest = rateLeases.acquire(limit, day);
  grant(0, 0, day);
  expect(await refusedRequest).toBe(1);
  expect([rateLeases.acquire(limit, day + 1), countLeaseRequests()]).toEqual([1, 1]);
  const nextResult = rateLeases.acquire(limit, 0);
  expect(countLeaseRequests()).toBe(2);
  grant(50, 0, 1);
  expect(await nextResult).toBe(0);
});
