import { freePort, until } from '../../../../scripts/testing/program';
import { defaultLimits } from './limits';
import { Pool } from './pool';

/** A pool whose time stands still, and an instance that refuses every connect. */
async function startRefused() {
  const clock = { now: 1_000_000, date: '' };
  const faults: unknown[] = [];
  const pool = new Pool({
    clock,
    limits: defaultLimits,
    tls: {},
    mayConnect: () => true,
    fault: (error) => faults.push(error),
  });
  const port = await freePort();
  const upstream = { host: '127.0.0.1', port, tls: false, authority: `127.0.0.1:${port}` };
  const waiter = { isWaiting: true, mayMove: false, granted: () => undefined, notGranted: () => undefined };
  /** @returns how long the instance rests after so many connects, ms */
  const restAfter = async (connects: number): Promise<number> => {
    const origin = pool.choose([upstream], [], true, false);
    if (!origin) throw new Error('no origin');
    for (let turn = 0; turn < connects; turn += 1) pool.acquire(origin, waiter, true);
    await until('all were refused', async () => pool.gauges().upstreamBusy === 0);
    expect(faults).toEqual([]);
    return origin.restsUntil - clock.now;
  };
  return { clock, pool, restAfter };
}

test('connects that are refused together are one failure, those of the next try another', async () => {
  const { clock, restAfter } = await startRefused();
  for (const restMs of [1_000, 2_000]) {
    expect(await restAfter(8)).toBe(restMs);
    clock.now += restMs;
  }
});

test('an instance that nobody asked for a while after its rest, and that refuses again, rests twice as long', async () => {
  const { clock, pool, restAfter } = await startRefused();
  for (const restMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    expect(await restAfter(1)).toBe(restMs);
    clock.now += restMs + 10_000;
    pool.tick();
  }
  clock.now += 60_000;
  pool.tick();
  expect(await restAfter(1)).toBe(1_000);
});
