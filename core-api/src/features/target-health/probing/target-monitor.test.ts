import pino from 'pino';
import { hashProbeTarget, type ProbeTarget } from '../../../platform/net/probe-target';
import type { HealthRecorder } from '../recording/health-recorder';
import type { TargetHealthService } from '../target-health.service';
import { TargetMonitor } from './target-monitor';

const recorder = { keepOnly: () => undefined, flush: async () => undefined } as unknown as HealthRecorder;

const createMonitor = (options: Partial<ConstructorParameters<typeof TargetMonitor>[0]>) =>
  new TargetMonitor({
    health: {} as TargetHealthService,
    recorder,
    intervalMs: 60_000,
    readHostsRevision: async () => 1,
    async *listTargets() {
      yield [];
    },
    isChecked: () => true,
    canReachWitness: async () => true,
    log: pino({ level: 'silent' }),
    ...options,
  });

/** Creates a monitor whose hosts change all the time, and counts how often it reads the list of targets. */
function createReloadingMonitor(onRead: () => void) {
  let revision = 0;
  const counts = { readings: 0 };
  const monitor = createMonitor({
    readHostsRevision: async () => (revision += 1),
    async *listTargets() {
      counts.readings += 1;
      onRead();
      yield [];
    },
  });
  return { monitor, counts };
}

test('a list of targets that took 100 ms to read is not read again immediately when a host changes', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const { monitor, counts } = createReloadingMonitor(() => {
    now += 100;
  });
  for (let turn = 0; turn < 3; turn += 1) await monitor.checkDue();
  expect(counts.readings).toBe(1);
  clock.mockRestore();
});

test('a read of the targets that took 90 s, because the database did not answer, delays the next read by 20 s', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const { monitor, counts } = createReloadingMonitor(() => {
    now += 90_000;
  });
  await monitor.checkDue();
  now += 19_999;
  await monitor.checkDue();
  expect(counts.readings).toBe(1);
  now += 1;
  await monitor.checkDue();
  expect(counts.readings).toBe(2);
  clock.mockRestore();
});

test('at most 80 checks of healthy targets run concurrently, because 20 are reserved for failing targets', async () => {
  const createTargets = (host: string) =>
    Array.from({ length: 100 }, (_, port): ProbeTarget => ({ kind: 'http', host, port, tls: false }));
  const failingTargets = createTargets('failing.test');
  const failingKeys = new Set(failingTargets.map(hashProbeTarget));
  const finishChecks: (() => void)[] = [];
  const checkedHosts: string[] = [];
  const monitor = createMonitor({
    health: {
      checkOne: ({ host }: Extract<ProbeTarget, { kind: 'http' }>) => {
        checkedHosts.push(host);
        return new Promise((resolve) => finishChecks.push(() => resolve({ state: 'up' })));
      },
    } as unknown as TargetHealthService,
    recorder: {
      ...recorder,
      isFailing: (key: string) => failingKeys.has(key),
      record: () => undefined,
      hasContradiction: () => false,
    } as unknown as HealthRecorder,
    async *listTargets() {
      yield [...createTargets('healthy.test'), ...failingTargets];
    },
  });
  const countChecks = (host: string) => checkedHosts.filter((checkedHost) => checkedHost === host).length;
  expect(await monitor.checkDue()).toBe(true);
  expect([countChecks('healthy.test'), countChecks('failing.test')]).toEqual([80, 20]);
  while (await monitor.checkDue()) for (const finish of finishChecks.splice(0)) finish();
  expect([countChecks('healthy.test'), countChecks('failing.test')]).toEqual([100, 100]);
});
