import type { Logger } from 'pino';
import { type EntityManager, LessThanOrEqual } from 'typeorm';
import type { Database } from '../database/source';
import { type Channel, ContactDelivery, ContactMessage } from './contact.entity';
import { contactMessages as messages } from './contact.messages';
import { TelegramError } from './telegram';

/** How far earlier attempts got with a message that goes out in pieces. */
export interface Progress {
  readonly piecesSent: number;
  /** Notes that one more was confirmed. */
  advance(): Promise<void>;
}

/** How the channel delivers; absent while it is not configured. */
export type Deliver = (message: ContactMessage, progress: Progress) => Promise<void>;
export type FindDeliver = () => Promise<Deliver | undefined>;

/** Longest time between two looks, for what another process stored. */
const POLL = 5_000;
/** Longer than any attempt may take: a process that died in one leaves its delivery to the next. */
const LEASE = 30_000;
const FIRST_DELAY = 2_000;
const LONGEST_DELAY = 60 * 60 * 1000;
const BATCH = 10;

/** Exponential with jitter: 2 s, 4 s, … one hour, each between half and the whole of it. */
const backOff = (attempts: number): number =>
  Math.min(FIRST_DELAY * 2 ** (attempts - 1), LONGEST_DELAY) * (0.5 + Math.random() / 2);

const later = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

const isPostgres = ({ connection }: EntityManager): boolean => connection.options.type === 'postgres';

/**
 * Delivers the messages of one channel. A delivery is leased before its attempt and marked `sent` right after it: an
 * outage loses none, and none that was confirmed is sent again.
 */
export class DeliveryWorker {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = true;

  constructor(
    private readonly database: Database,
    private readonly channel: Channel,
    private readonly findDeliver: FindDeliver,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.run(() => this.takeOver());
  }

  /** Waits for the attempts under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  readonly wake = (): void => {
    if (this.stopped) return;
    this.again = Boolean(this.running);
    if (!this.running) this.run(() => this.deliverDue());
  };

  private run(work: () => Promise<void>): void {
    clearTimeout(this.timer);
    this.running = work()
      .then(() => this.untilNext())
      .catch((error: unknown) => {
        this.log.warn({ err: error, channel: this.channel }, 'the outbox could not be read');
        return POLL;
      })
      .then((wait) => {
        this.running = undefined;
        if (!this.stopped) this.timer = setTimeout(this.wake, this.again ? 0 : wait);
        this.again = false;
      });
  }

  /** On SQLite there is one core: what is still leased at its start was left by one that died. */
  private async takeOver(): Promise<void> {
    const { channel } = this;
    await this.database.write(async (manager) => {
      if (isPostgres(manager)) return;
      await manager.update(ContactDelivery, { channel, state: 'pending' }, { nextAttemptAt: later(0) });
    });
    await this.deliverDue();
  }

  private async deliverDue(): Promise<void> {
    while (!this.stopped) {
      const due = await this.database.write((manager) => lease(manager, this.channel));
      if (due.length === 0) return;
      await Promise.all(due.map((delivery) => this.attempt(delivery)));
    }
  }

  /** Milliseconds until the next delivery is due, at most `POLL`. */
  private async untilNext(): Promise<number> {
    const next = await this.database.read.findOne(ContactDelivery, {
      where: { channel: this.channel, state: 'pending' },
      order: { nextAttemptAt: 'ASC' },
    });
    return next ? Math.max(0, Math.min(Date.parse(next.nextAttemptAt) - Date.now(), POLL)) : POLL;
  }

  private async attempt(delivery: ContactDelivery): Promise<void> {
    const result = await this.deliver(delivery);
    await this.note(delivery, result);
  }

  private async note({ messageId, channel }: ContactDelivery, result: Partial<ContactDelivery>): Promise<void> {
    await this.database.write((manager) => manager.update(ContactDelivery, { messageId, channel }, result));
  }

  private async deliver(delivery: ContactDelivery): Promise<Partial<ContactDelivery>> {
    const { messageId, attempts, piecesSent } = delivery;
    let sent = piecesSent;
    const advance = () => {
      sent += 1;
      return this.note(delivery, { piecesSent: sent });
    };
    const message = await this.database.read.findOneByOrFail(ContactMessage, { _id: messageId });
    try {
      const deliver = await this.findDeliver();
      if (!deliver) return { nextAttemptAt: later(LONGEST_DELAY), lastError: messages.notConfigured };
      await deliver(message, { piecesSent, advance });
      return { state: 'sent', deliveredAt: new Date().toISOString(), lastError: null };
    } catch (error) {
      const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      const { channel } = this;
      this.log.warn({ messageId, channel, attempts, reason: lastError }, 'a contact message was not delivered');
      if (error instanceof TelegramError && error.permanent) return { state: 'failed', lastError };
      const wait = error instanceof TelegramError && error.retryAfter ? error.retryAfter * 1000 : backOff(attempts);
      return { nextAttemptAt: later(wait), lastError };
    }
  }
}

/** Takes due deliveries, each counted as one more attempt. */
async function lease(manager: EntityManager, channel: Channel): Promise<ContactDelivery[]> {
  const due = await manager.find(ContactDelivery, {
    where: { channel, state: 'pending', nextAttemptAt: LessThanOrEqual(later(0)) },
    order: { nextAttemptAt: 'ASC' },
    take: BATCH,
    ...(isPostgres(manager) && { lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' } }),
  });
  for (const delivery of due) {
    delivery.attempts += 1;
    delivery.nextAttemptAt = later(LEASE);
    const { messageId, attempts, nextAttemptAt } = delivery;
    await manager.update(ContactDelivery, { messageId, channel }, { attempts, nextAttemptAt });
  }
  return due;
}
