import { waitFor } from '../../../../scripts/testing/program';
import type { GrantRequest } from '../../features/gateway/keys/take-rate-grants';
import { SharedRateLimiter } from './shared-rate-limiter';

const LIMIT = { requests: 100, seconds: 1 };
const SLICE_MS = 50;
/** Lag of the database's clock behind the clock of this machine. */
const BEHIND_MS = 3_600_000;

/** A database that stores every request of a query unless `isAway`, and then calls `onStored`. */
function createStore() {
  const store = {
    requests: [] as GrantRequest[],
    isAway: false,
    onStored: async (): Promise<void> => undefined,
    takeRateGrants: async (batch: readonly GrantRequest[]) => {
      if (store.isAway) throw new Error('away');
      store.requests.push(...batch);
      await store.onStored();
      const now = Date.now() - BEHIND_MS;
      const grants = batch.map(({ requested }) => ({ granted: requested, slice: 0, expiresAt: now, waitMs: 0 }));
      return { grants, now, machines: 1 };
    },
  };
  return store;
}

const createLimiter = (store: ReturnType<typeof createStore>) =>
  new SharedRateLimiter(store, () => LIMIT, { warn: () => undefined });

/** Returns the reported counts of requests during an outage, in the order of their reports. */
const getReportedCounts = ({ requests }: ReturnType<typeof createStore>) =>
  requests.flatMap(({ spent = [] }) => spent.map(({ count }) => count));

test("requests during an outage are reported later, with times by the database's clock and without unused leases", async () => {
  const store = createStore();
  const limiter = createLimiter(store);
  await limiter.acquire('key', 1, Date.now());
  store.isAway = true;
  const firstGrant = await limiter.acquire('key', 5, Date.now());
  const secondGrant = await limiter.acquire('key', 7, Date.now() + 2 * SLICE_MS);
  expect([firstGrant.granted, secondGrant.granted]).toEqual([5, 7]);
  limiter.refund('key', 3, secondGrant.slice);
  store.isAway = false;
  const slices = await waitFor(
    'a report of the offline counts',
    async () => store.requests.find(({ spent }) => spent)?.spent,
  );
  expect(slices.map(({ count }) => count)).toEqual([5, 4]);
  const [earlier = 0, later = 0] = slices.map(({ at }) => at);
  expect(later - earlier).toBe((secondGrant.slice - firstGrant.slice) * SLICE_MS);
  expect(Math.round((Date.now() - earlier) / BEHIND_MS)).toBe(1);
});

test('requests that arrive during the report are reported later, also if the database is away again', async () => {
  const store = createStore();
  const limiter = createLimiter(store);
  store.isAway = true;
  await limiter.acquire('key', 5, Date.now());
  store.onStored = async () => {
    await limiter.acquire('key', 7, Date.now());
    store.isAway = true;
    store.onStored = async () => undefined;
  };
  store.isAway = false;
  await waitFor('a report', () => store.isAway);
  store.isAway = false;
  await waitFor('two reports', () => getReportedCounts(store).length === 2);
  expect(getReportedCounts(store)).toEqual([5, 7]);
});
