import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, OutboxWorker } from './outbox-worker';

/** Time in ms for which a stop waits for attempts in progress. An interrupted attempt is repeated after its lease. */
const STOP_GRACE_MS = 5_000;

type Worker = Pick<OutboxWorker<Delivery>, 'start' | 'wake' | 'stop'>;

/** Starts and stops several workers. A receiver that hangs delays only the deliveries of one worker. */
export class Outbox {
  constructor(private readonly workers: readonly Worker[]) {}

  start(): void {
    for (const worker of this.workers) worker.start();
  }

  /** Makes every worker look for due deliveries now. */
  readonly wake = (): void => {
    for (const worker of this.workers) worker.wake();
  };

  /** Starts no more attempts and waits for attempts in progress. */
  async stop(): Promise<void> {
    const allStopped = Promise.all(this.workers.map((worker) => worker.stop()));
    await Promise.race([allStopped, sleep(STOP_GRACE_MS, undefined, { ref: false })]);
  }
}
