import { findFreePort, waitFor } from '../../../../../scripts/testing/program';
import { defaultLimits } from '../limits';
import { Pool } from './pool';

/** Creates a pool with a manual clock, and an instance that refuses every connect. */
async function createPoolWithRefusingInstance() {
  const clock = { now: 1_000_000, date: '' };
  const faults: unknown[] = [];
  const pool = new Pool({
    clock,
    limits: defaultLimits,
    tls: {},
    mayConnect: () => true,
    reportFault: (error) => faults.push(error),
  });
  const port = await findFreePort();
  const upstream = { host: '127.0.0.1', port, tls: false, authority: `127.0.0.1:${port}` };
  const waiter = {
    isWaiting: true,
    canMoveToOtherInstance: false,
    onConnection: () => undefined,
    onNoConnection: () => undefined,
  };
  /** Returns the cooldown in ms after this number of refused connects. */
  const measureCooldown = async (connects: number): Promise<number> => {
    const instance = pool.choose([upstream], [], { isRetryable: true, onlyHealthy: false });
    if (!instance) throw new Error('no instance');
    for (let turn = 0; turn < connects; turn += 1) pool.acquire(instance, waiter, true);
    await waitFor('all connects were refused', async () => pool.getGauges().upstreamBusy === 0);
    expect(faults).toEqual([]);
    return instance.cooldownUntil - clock.now;
  };
  return { clock, pool, measureCooldown };
}

test('connects that are refused at the same time count as one failure', async () => {
  const { clock, measureCooldown } = await createPoolWithRefusingInstance();
  for (const cooldownMs of [1_000, 2_000]) {
    expect(await measureCooldown(8)).toBe(cooldownMs);
    clock.now += cooldownMs;
  }
});

test('the cooldown doubles with each failure up to 30 s, and a minute without requests resets it to 1 s', async () => {
  const { clock, pool, measureCooldown } = await createPoolWithRefusingInstance();
  for (const cooldownMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    expect(await measureCooldown(1)).toBe(cooldownMs);
    clock.now += cooldownMs + 10_000;
    pool.tick();
  }
  clock.now += 60_000;
  pool.tick();
  expect(await measureCooldown(1)).toBe(1_000);
});
