import type { Logger } from 'pino';
import {
  Column,
  type EntityManager,
  type FindOptionsOrder,
  type FindOptionsWhere,
  LessThanOrEqual,
  MoreThan,
} from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity';
import type { Database } from '../database/database';
import { claimBatch, isSharedDatabase } from '../database/queries/dialect';
import { Instant, Varchar } from '../database/schema/columns';
import { getErrorMessage } from '../errors/error-details';
import { HOUR_MS, toIsoFromNow } from '../time/relative-time';

export const deliveryStates = ['pending', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Columns of every table of deliveries. */
export abstract class Delivery {
  @Varchar(16) state: DeliveryState;
  @Column('integer') attempts: number;
  /**
   * Earliest time of the next attempt. During an attempt, this is the end of the attempt's lease, after which another
   * process may repeat the attempt.
   */
  @Instant() nextAttemptAt: string;
  @Instant({ nullable: true }) deliveredAt: string | null;
  @Varchar(500, { nullable: true }) lastError: string | null;
}

export interface DeliveryTable<Row extends Delivery> {
  /** Name of the worker in the log. */
  name: string;
  entity: new () => Row;
  scope: FindOptionsWhere<Row>;
  toPrimaryKey(row: Row): FindOptionsWhere<Row>;
  /**
   * Returns the instant (ms since the epoch) after which a failed attempt is not repeated. If absent, age
   * never ends the attempts.
   */
  getGiveUpTime?(row: Row): number;
  /**
   * Makes one attempt. `save` stores progress, so that the next attempt continues from that progress.
   * @throws DeliveryError, or any other error for a temporary failure
   */
  send(row: Row, save: (changes: Partial<Row>) => Promise<void>): Promise<void>;
}

/** Thrown for a failed attempt. The options tell whether and when another attempt can succeed. */
export class DeliveryError extends Error {
  /**
   * @param options.permanent true if another attempt cannot succeed until the settings change
   * @param options.retryAfterS seconds to wait, as the receiver asked
   */
  constructor(
    reason: string,
    readonly options: { permanent?: boolean; retryAfterS?: number | undefined } = {},
  ) {
    super(reason);
  }
}

/** Maximum interval between two queries for due rows, because another process may store rows. */
const POLL_INTERVAL_MS = 5_000;
/** Lease of an attempt, longer than any attempt. When it expires, the delivery of a dead process is due again. */
const LEASE_MS = 30_000;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = HOUR_MS;
const BATCH_SIZE = 10;

/** Returns an exponential back-off of 2 s, 4 s and so on up to an hour, reduced by up to half at random. */
const computeBackOffMs = (attempts: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS) * (0.5 + Math.random() / 2);

/**
 * Delivers the rows of one table in the background. A row is leased before its attempt, so that an outage loses no
 * delivery. The row is marked `sent` right after the attempt, so that a crash rarely repeats a confirmed delivery.
 */
export class OutboxWorker<Row extends Delivery> {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWakePending = false;
  private isStopped = true;

  constructor(
    private readonly database: Database,
    private readonly table: DeliveryTable<Row>,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.isStopped = false;
    this.run(() => this.releaseLeases().then(() => this.deliverDue()));
  }

  /** Starts no more attempts and waits for the attempts in progress. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Makes the worker look for due deliveries now. */
  readonly wake = (): void => {
    if (this.isStopped) return;
    this.isWakePending = Boolean(this.running);
    if (!this.running) this.run(() => this.deliverDue());
  };

  /** @param work resolves to the pause before the next run, ms */
  private run(work: () => Promise<number>): void {
    clearTimeout(this.timer);
    this.running = work()
      .catch((error: unknown) => {
        this.log.warn({ err: error, outbox: this.table.name }, 'the outbox could not be read');
        return POLL_INTERVAL_MS;
      })
      .then((waitMs) => {
        this.running = undefined;
        if (!this.isStopped) this.timer = setTimeout(this.wake, this.isWakePending ? 0 : waitMs);
        this.isWakePending = false;
      });
  }

  /** Makes all pending rows due on SQLite. Only one core exists there, so every lease is of a process that died. */
  private async releaseLeases(): Promise<void> {
    if (isSharedDatabase(this.database.read)) return;
    await this.database.concurrentWrite((manager) =>
      this.update(manager, this.wherePending(), { nextAttemptAt: toIsoFromNow(0) }),
    );
  }

  /** Makes attempts until no row is due, and returns the time until the next query, at most `POLL_INTERVAL_MS`. */
  private async deliverDue(): Promise<number> {
    for (;;) {
      const waitMs = await this.getMsUntilNext();
      if (waitMs > 0 || this.isStopped) return waitMs;
      const dueRows = await this.database.concurrentWrite((manager) => this.lease(manager));
      // Other processes have leased the rows that were due.
      if (dueRows.length === 0) return POLL_INTERVAL_MS;
      await Promise.all(dueRows.map((row) => this.attempt(row)));
    }
  }

  private async getMsUntilNext(): Promise<number> {
    const where = this.whereDueWithin(POLL_INTERVAL_MS);
    const next = await this.database.read.findOne(this.table.entity, { where, order: orderByDueTime() });
    if (!next) return POLL_INTERVAL_MS;
    const waitMs = Date.parse(next.nextAttemptAt) - Date.now();
    // `whereDueWithin` finds a later time only after the clock was set back. The row is then due.
    return waitMs > POLL_INTERVAL_MS ? 0 : Math.max(0, waitMs);
  }

  /** Finds rows due within `ms`. After the clock was set back, times beyond the longest delay count as due. */
  private whereDueWithin(ms: number): FindOptionsWhere<Row>[] {
    const instants = [LessThanOrEqual(toIsoFromNow(ms)), MoreThan(toIsoFromNow(MAX_DELAY_MS))];
    return instants.map((nextAttemptAt) => ({ ...this.wherePending(), nextAttemptAt }) as FindOptionsWhere<Row>);
  }

  private wherePending(): FindOptionsWhere<Row> {
    return { ...this.table.scope, state: 'pending' } as FindOptionsWhere<Row>;
  }

  /** Leases due deliveries and adds one to the attempts of each. */
  private async lease(manager: EntityManager): Promise<Row[]> {
    const dueRows = await claimBatch(manager, this.table.entity, {
      where: this.whereDueWithin(0),
      order: orderByDueTime(),
      take: BATCH_SIZE,
    });
    for (const row of dueRows) {
      row.attempts += 1;
      row.nextAttemptAt = toIsoFromNow(LEASE_MS);
      const { attempts, nextAttemptAt } = row;
      await this.update(manager, this.table.toPrimaryKey(row), { attempts, nextAttemptAt });
    }
    return dueRows;
  }

  private async attempt(row: Row): Promise<void> {
    const save = (changes: Partial<Row> | Partial<Delivery>) =>
      this.database.concurrentWrite((manager) => this.update(manager, this.table.toPrimaryKey(row), changes));
    await save(await this.deliver(row, save));
  }

  private async deliver(row: Row, save: (changes: Partial<Row>) => Promise<void>): Promise<Partial<Delivery>> {
    try {
      await this.table.send(row, save);
      return { state: 'sent', deliveredAt: new Date().toISOString(), lastError: null };
    } catch (error) {
      const lastError = getErrorMessage(error).slice(0, 500);
      const { attempts } = row;
      this.log.warn(
        { outbox: this.table.name, delivery: this.table.toPrimaryKey(row), attempts, reason: lastError },
        'a delivery failed',
      );
      const options: DeliveryError['options'] = error instanceof DeliveryError ? error.options : {};
      const isPastGiveUpTime = Date.now() > (this.table.getGiveUpTime?.(row) ?? Number.POSITIVE_INFINITY);
      if (options.permanent || isPastGiveUpTime) return { state: 'failed', lastError };
      const { retryAfterS } = options;
      const waitMs = retryAfterS ? Math.min(retryAfterS * 1000, MAX_DELAY_MS) : computeBackOffMs(attempts);
      return { nextAttemptAt: toIsoFromNow(waitMs), lastError };
    }
  }

  private async update(
    manager: EntityManager,
    where: FindOptionsWhere<Row>,
    changes: Partial<Row> | Partial<Delivery>,
  ): Promise<void> {
    await manager.update(this.table.entity, where, changes as QueryDeepPartialEntity<Row>);
  }
}

const orderByDueTime = <Row extends Delivery>() => ({ nextAttemptAt: 'ASC' }) as FindOptionsOrder<Row>;
