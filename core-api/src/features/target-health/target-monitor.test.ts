import pino from 'pino';
import type { HealthRecorder } from './health-recorder';
import type { TargetHealthService } from './target-health.service';
import { TargetMonitor } from './target-monitor';

const recorder = { keepOnly: () => undefined, flush: async () => undefined } as unknown as HealthRecorder;

test('a long list of targets is not read again at once when the next host changes', async () => {
  let revision = 0;
  let readings = 0;
  const monitor = new TargetMonitor({
    health: {} as TargetHealthService,
    recorder,
    intervalMs: 60_000,
    hostsRevision: async () => (revision += 1),
    async *listTargets() {
      readings += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
      yield [];
    },
    isChecked: () => true,
    seesNetwork: async () => true,
    log: pino({ level: 'silent' }),
  });
  for (let turn = 0; turn < 3; turn += 1) await monitor.checkDue();
  expect(readings).toBe(1);
});
