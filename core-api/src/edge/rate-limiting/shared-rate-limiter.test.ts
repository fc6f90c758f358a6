import { waitFor } from '../../../../scripts/testing/program';
import type { RateRequest } from '../../features/gateway/keys/take-rate-grants';
import { SharedRateLimiter } from './shared-rate-limiter';

const LIMIT = { requests: 100, seconds: 1 };
const SLICE_MS = 50;
/** Lag of the database's clock behind the clock of this machine. */
const BEHIND_MS = 3_600_000;

test("requests during an outage are reported later, with times by the database's clock and without unused leases", async () => {
  const storedRequests: RateRequest[] = [];
  let isAway = false;
  const store = {
    takeRates: async (batch: readonly RateRequest[]) => {
      if (isAway) throw new Error('away');
      storedRequests.push(...batch);
      const now = Date.now() - BEHIND_MS;
      const grants = batch.map(({ requested }) => ({ granted: requested, slice: 0, expiresAt: now, waitMs: 0 }));
      return { grants, now, machines: 1 };
    },
  };
  const log = { warn: () => undefined };
  const limiter = new SharedRateLimiter(store, () => LIMIT, log);
  await limiter.acquire('key', 1, Date.now());
  isAway = true;
  const firstGrant = await limiter.acquire('key', 5, Date.now());
  const secondGrant = await limiter.acquire('key', 7, Date.now() + 2 * SLICE_MS);
  expect([firstGrant.granted, secondGrant.granted]).toEqual([5, 7]);
  limiter.refund('key', 3, secondGrant.slice);
  isAway = false;
  const slices = await waitFor(
    'a report of the offline counts',
    async () => storedRequests.find(({ spent }) => spent)?.spent,
  );
  expect(slices.map(({ count }) => count)).toEqual([5, 4]);
  const [earlier = 0, later = 0] = slices.map(({ at }) => at);
  expect(later - earlier).toBe((secondGrant.slice - firstGrant.slice) * SLICE_MS);
  expect(Math.round((Date.now() - earlier) / BEHIND_MS)).toBe(1);
});
