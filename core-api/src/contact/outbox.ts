import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type EntityManager, LessThanOrEqual, Not } from 'typeorm';
import type { Database } from '../database/source';
import { type Channel, ContactDelivery, ContactMessage } from './contact.entity';
import { contactMessages as messages } from './contact.messages';
import { TelegramError } from './telegram';

/** How one channel delivers; absent while it is not configured. */
export type Deliver = (message: ContactMessage) => Promise<void>;
export type Channels = (channel: Channel) => Promise<Deliver | undefined>;

const POLL = 5_000;
/** Longer than any attempt may take: a process that died in one leaves its delivery to the next. */
const LEASE = 60_000;
const FIRST_DELAY = 2_000;
const LONGEST_DELAY = 60 * 60 * 1000;
const BATCH = 10;
/** A stop waits so long for attempts under way; one that takes longer is made again after its lease. */
const GRACE = 5_000;

/** Exponential with jitter: 2 s, 4 s, … one hour, each between half and the whole of it. */
const backOff = (attempts: number): number =>
  Math.min(FIRST_DELAY * 2 ** (attempts - 1), LONGEST_DELAY) * (0.5 + Math.random() / 2);

const later = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/**
 * Delivers stored contact messages in the background. A delivery is leased before its attempt and marked `sent` right
 * after it: an outage loses none, and none that was confirmed is sent again.
 */
export class Outbox {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = true;

  constructor(
    private readonly database: Database,
    private readonly channels: Channels,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.wake();
  }

  /** Starts no more attempts and waits for those under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await Promise.race([this.running, sleep(GRACE, undefined, { ref: false })]);
  }

  /** Looks for due deliveries now. */
  readonly wake = (): void => {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.running = this.deliverDue()
      .catch((error: unknown) => this.log.warn({ err: error }, 'the outbox could not be read'))
      .finally(() => {
        this.running = undefined;
        if (this.stopped) return;
        this.timer = setTimeout(this.wake, this.again ? 0 : POLL);
        this.again = false;
      });
  };

  private async deliverDue(): Promise<void> {
    while (!this.stopped) {
      const due = await this.database.write(lease);
      if (due.length === 0) return;
      await Promise.all(due.map((delivery) => this.attempt(delivery)));
    }
  }

  private async attempt({ messageId, channel, attempts }: ContactDelivery): Promise<void> {
    const result = await this.deliver(messageId, channel, attempts);
    await this.database.write((manager) =>
      manager.update(ContactDelivery, { messageId, channel }, { attempts, ...result }),
    );
  }

  private async deliver(messageId: string, channel: Channel, attempts: number): Promise<Partial<ContactDelivery>> {
    const message = await this.database.read.findOneByOrFail(ContactMessage, { _id: messageId });
    try {
      const deliver = await this.channels(channel);
      if (!deliver) return { nextAttemptAt: later(LONGEST_DELAY), lastError: messages.notConfigured };
      await deliver(message);
      return { state: 'sent', deliveredAt: new Date().toISOString(), lastError: null };
    } catch (error) {
      const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      this.log.warn({ messageId, channel, attempts, reason: lastError }, 'a contact message was not delivered');
      if (error instanceof TelegramError && error.permanent) return { state: 'failed', lastError };
      const wait = error instanceof TelegramError && error.retryAfter ? error.retryAfter * 1000 : backOff(attempts);
      return { nextAttemptAt: later(wait), lastError };
    }
  }
}

/** Takes due deliveries, each counted as one more attempt. */
async function lease(manager: EntityManager): Promise<ContactDelivery[]> {
  const due = await manager.find(ContactDelivery, {
    where: { state: 'pending', nextAttemptAt: LessThanOrEqual(new Date().toISOString()) },
    order: { nextAttemptAt: 'ASC' },
    take: BATCH,
    ...(manager.connection.options.type === 'postgres' && {
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    }),
  });
  for (const delivery of due) {
    delivery.attempts += 1;
    delivery.nextAttemptAt = later(LEASE);
    const { messageId, channel, attempts, nextAttemptAt } = delivery;
    await manager.update(ContactDelivery, { messageId, channel }, { attempts, nextAttemptAt });
  }
  return due;
}

/** What Telegram refused, or had no settings for, gets another chance once they changed. */
export const reviveTelegram = (manager: EntityManager) =>
  manager.update(
    ContactDelivery,
    { channel: 'telegram', state: Not('sent') },
    { state: 'pending', attempts: 0, nextAttemptAt: new Date().toISOString() },
  );
