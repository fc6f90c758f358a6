import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type EntityManager, Not } from 'typeorm';
import type { Database } from '../database/source';
import { type Channel, ContactDelivery, channels } from './contact.entity';
import { DeliveryWorker, type FindDeliver } from './delivery-worker';

/** A stop waits so long for attempts under way; one that takes longer is made again after its lease. */
const GRACE = 5_000;

/** Delivers stored contact messages in the background, each channel on its own: one that hangs holds no other up. */
export class Outbox {
  private readonly workers: readonly DeliveryWorker[];

  constructor(database: Database, findDeliver: (channel: Channel) => ReturnType<FindDeliver>, log: Logger) {
    this.workers = channels.map((channel) => new DeliveryWorker(database, channel, () => findDeliver(channel), log));
  }

  start(): void {
    for (const worker of this.workers) worker.start();
  }

  /** Looks for due deliveries now. */
  readonly wake = (): void => {
    for (const worker of this.workers) worker.wake();
  };

  /** Starts no more attempts and waits for those under way. */
  async stop(): Promise<void> {
    const ended = Promise.all(this.workers.map((worker) => worker.stop()));
    await Promise.race([ended, sleep(GRACE, undefined, { ref: false })]);
  }
}

/** What Telegram refused, or had no settings for, gets another chance once they changed. */
export const reviveTelegram = (manager: EntityManager) =>
  manager.update(
    ContactDelivery,
    { channel: 'telegram', state: Not('sent') },
    { state: 'pending', attempts: 0, piecesSent: 0, nextAttemptAt: new Date().toISOString() },
  );
