import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/source';
import type { Channels } from './channels';
import { channelNames } from './contact.entity';
import { DeliveryWorker } from './delivery-worker';

/** How long a stop waits for attempts under way; one that takes longer is repeated after its lease. */
const STOP_GRACE_MS = 5_000;

/** Delivers stored contact messages in the background, one worker per channel: a channel that hangs delays no other. */
export class Outbox {
  private readonly workers: readonly DeliveryWorker[];

  constructor(database: Database, channels: Channels, log: Logger) {
    this.workers = channelNames.map((name) => new DeliveryWorker(database, name, channels[name], log));
  }

  start(): void {
    for (const worker of this.workers) worker.start();
  }

  /** Makes every worker look for due deliveries now. */
  readonly wake = (): void => {
    for (const worker of this.workers) worker.wake();
  };

  /** Starts no more attempts and waits for those under way. */
  async stop(): Promise<void> {
    const ended = Promise.all(this.workers.map((worker) => worker.stop()));
    await Promise.race([ended, sleep(STOP_GRACE_MS, undefined, { ref: false })]);
  }
}
