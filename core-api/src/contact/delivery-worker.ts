import type { Logger } from 'pino';
import { type EntityManager, LessThanOrEqual } from 'typeorm';
import type { Database } from '../database/source';
import { type Channel, DeliveryError } from './channels';
import { type ChannelName, ContactDelivery, ContactMessage } from './contact.entity';
import { contactMessages as messages } from './contact.messages';

/** Longest time between two looks, for what another process stored. */
const POLL_INTERVAL_MS = 5_000;
/** Longer than any attempt takes: the delivery of a process that died becomes due again. */
const LEASE_MS = 30_000;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 60 * 60 * 1000;
const BATCH_SIZE = 10;

/** Exponential with jitter: 2 s, 4 s, … one hour, each between half and the whole of it. */
const backOffMs = (attempts: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS) * (0.5 + Math.random() / 2);

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

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
    private readonly name: ChannelName,
    private readonly channel: Channel,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.run(() => this.releaseLeases());
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
        this.log.warn({ err: error, channel: this.name }, 'the outbox could not be read');
        return POLL_INTERVAL_MS;
      })
      .then((waitMs) => {
        this.running = undefined;
        if (!this.stopped) this.timer = setTimeout(this.wake, this.again ? 0 : waitMs);
        this.again = false;
      });
  }

  /** On SQLite there is one core: a lease that is there at its start belongs to one that died. */
  private async releaseLeases(): Promise<void> {
    await this.database.append(async (manager) => {
      if (isPostgres(manager)) return;
      await manager.update(ContactDelivery, { channel: this.name, state: 'pending' }, { nextAttemptAt: inMs(0) });
    });
    await this.deliverDue();
  }

  private async deliverDue(): Promise<void> {
    while (!this.stopped) {
      const due = await this.database.append((manager) => lease(manager, this.name));
      if (due.length === 0) return;
      await Promise.all(due.map((delivery) => this.attempt(delivery)));
    }
  }

  /** Milliseconds until the next delivery is due, at most `POLL_INTERVAL_MS`. */
  private async untilNext(): Promise<number> {
    const next = await this.database.read.findOne(ContactDelivery, {
      where: { channel: this.name, state: 'pending' },
      order: { nextAttemptAt: 'ASC' },
    });
    return next
      ? Math.max(0, Math.min(Date.parse(next.nextAttemptAt) - Date.now(), POLL_INTERVAL_MS))
      : POLL_INTERVAL_MS;
  }

  private async attempt(delivery: ContactDelivery): Promise<void> {
    const result = await this.deliver(delivery);
    await this.note(delivery, result);
  }

  private async note({ messageId, channel }: ContactDelivery, result: Partial<ContactDelivery>): Promise<void> {
    await this.database.append((manager) => manager.update(ContactDelivery, { messageId, channel }, result));
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
      if (!(await this.channel.isConfigured()))
        return { nextAttemptAt: inMs(MAX_DELAY_MS), lastError: messages.notConfigured };
      await this.channel.deliver(message, { piecesSent, advance });
      return { state: 'sent', deliveredAt: new Date().toISOString(), lastError: null };
    } catch (error) {
      const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      this.log.warn(
        { messageId, channel: this.name, attempts, reason: lastError },
        'a contact message was not delivered',
      );
      if (error instanceof DeliveryError && error.permanent) return { state: 'failed', lastError };
      const waitMs =
        error instanceof DeliveryError && error.retryAfterS ? error.retryAfterS * 1000 : backOffMs(attempts);
      return { nextAttemptAt: inMs(waitMs), lastError };
    }
  }
}

/** Takes due deliveries, each counted as one more attempt. */
async function lease(manager: EntityManager, channel: ChannelName): Promise<ContactDelivery[]> {
  const due = await manager.find(ContactDelivery, {
    where: { channel, state: 'pending', nextAttemptAt: LessThanOrEqual(inMs(0)) },
    order: { nextAttemptAt: 'ASC' },
    take: BATCH_SIZE,
    ...(isPostgres(manager) && { lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' } }),
  });
  for (const delivery of due) {
    delivery.attempts += 1;
    delivery.nextAttemptAt = inMs(LEASE_MS);
    const { messageId, attempts, nextAttemptAt } = delivery;
    await manager.update(ContactDelivery, { messageId, channel }, { attempts, nextAttemptAt });
  }
  return due;
}
