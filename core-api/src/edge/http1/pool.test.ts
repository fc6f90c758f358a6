import { freePort, until } from '../../../../scripts/testing/program';
import { defaultLimits } from './limits';
import { Pool } from './pool';

test('connects that are refused together are one failure, those of the next try another', async () => {
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
  const waiter = { isWaiting: true, granted: () => undefined, notGranted: () => undefined };
  const origin = pool.choose([upstream], [], true);
  if (!origin) throw new Error('no origin');
  for (const restMs of [1_000, 2_000]) {
    for (let turn = 0; turn < 8; turn += 1) pool.acquire(origin, waiter, true);
    await until('all were refused', async () => pool.gauges().upstreamBusy === 0);
    expect(origin.restsUntil - clock.now).toBe(restMs);
    clock.now += restMs;
  }
  expect(faults).toEqual([]);
});
