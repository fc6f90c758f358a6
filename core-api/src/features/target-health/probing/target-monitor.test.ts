import pino from 'pino';
import type { HealthRecorder } from '../recording/health-recorder';
import type { TargetHealthService } from '../target-health.service';
import { TargetMonitor } from './target-monitor';

const recorder = { keepOnly: () => undefined, flush: async () => undefined } as unknown as HealthRecorder;

/** Creates a monitor whose hosts change all the time, and counts how often it reads the list of targets. */
function createMonitor(onRead: () => void) {
  let revision = 0;
  const counts = { readings: 0 };
  const monitor = new TargetMonitor({
    health: {} as TargetHealthService,
    recorder,
    intervalMs: 60_000,
    readHostsRevision: async () => (revision += 1),
    async *listTargets() {
      counts.readings += 1;
      onRead();
      yield [];
    },
    isChecked: () => true,
    canReachWitness: async () => true,
    log: pino({ level: 'silent' }),
  });
  return { monitor, counts };
}

test('a list of targets that took 100 ms to read is not read again immediately when a host changes', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const { monitor, counts } = createMonitor(() => {
    now += 100;
  });
  for (let turn = 0; turn < 3; turn += 1) await monitor.checkDue();
  expect(counts.readings).toBe(1);
  clock.mockRestore();
});

test('a read of the targets that took 90 s, because the database did not answer, delays the next read by 20 s', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const { monitor, counts } = createMonitor(() => {
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
