import type { Logger } from 'pino';
import { withDeadline } from '../../database/deadline';
import type { RateLimit } from '../../decide/rows';
import type { RateAsk } from '../../gateway/keys/take-rates';
import type { Granted } from '../../rules/rate-window';
import { type Rates, RateWindows, unlimited } from './rate-windows';
import type { Store } from './store';

/** A database that takes longer is away. */
const ANSWER_MS = 2_000;
const RETRY_MS = 1_000;

interface Waiting {
  ask: RateAsk;
  settle(granted: Granted): void;
}

/**
 * Windows that all machines share through the database: what one is given the others are not. Questions that come while
 * one is under way go together in the next. While the database is away, this machine lets through its part of each limit,
 * and tells it afterwards.
 */
export class SharedRates implements Rates {
  private waiting: Waiting[] = [];
  private isAsking = false;
  private isAway = false;
  /** That share the limits, this one among them, when the database was last there. */
  private machines = 1;
  /** What this machine lets through; its own limits are parts. */
  private readonly own: RateWindows;
  /** When the database expects that one more may pass, by key, ms since the epoch. */
  private readonly freeAt = new Map<string, number>();
  /** Let through while the database is away. */
  private spent = new Map<string, number>();

  constructor(
    private readonly store: Pick<Store, 'takeRates'>,
    private readonly limitOf: (keyId: string) => RateLimit | undefined,
    private readonly log: Logger,
  ) {
    this.own = new RateWindows((keyId) => {
      const limit = limitOf(keyId);
      return limit && { ...limit, requests: Math.floor(limit.requests / this.machines) };
    });
  }

  take(keyId: string, wanted: number, now: number): Granted | Promise<Granted> {
    const limit = this.limitOf(keyId);
    if (!limit) return unlimited(wanted, now);
    if (this.isAway) return this.takeOwn(keyId, wanted, now);
    return new Promise((settle) => this.enqueue({ keyId, limit, wanted }, settle));
  }

  giveBack(keyId: string, count: number, slice: number): void {
    const limit = this.limitOf(keyId);
    this.own.giveBack(keyId, count, slice);
    if (limit && !this.isAway) this.enqueue({ keyId, limit, wanted: 0, unused: { count, slice } }, () => undefined);
  }

  prune(): void {
    this.own.prune();
    for (const keyId of this.freeAt.keys()) if (!this.limitOf(keyId)) this.freeAt.delete(keyId);
  }

  private enqueue(ask: RateAsk, settle: Waiting['settle']): void {
    this.waiting.push({ ask, settle });
    if (!this.isAsking) void this.askAll();
  }

  private async askAll(): Promise<void> {
    this.isAsking = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        const granted = await this.ask(batch.map(({ ask }) => ask));
        const now = Date.now();
        for (const [index, { ask, settle }] of batch.entries()) {
          const one = granted[index];
          if (!one) continue;
          this.own.add(ask.keyId, one.given, now);
          this.freeAt.set(ask.keyId, now + one.waitMs);
          settle(one);
        }
      } catch (error) {
        this.goAway(error);
        const now = Date.now();
        for (const { ask, settle } of batch) if (ask.wanted > 0) settle(this.takeOwn(ask.keyId, ask.wanted, now));
      }
    }
    this.isAsking = false;
  }

  /** What was granted, by this machine's clock. */
  private async ask(asks: readonly RateAsk[]): Promise<Granted[]> {
    // Its clock was read after this: a lease ends too early by the way there, never too late.
    const askedAt = Date.now();
    const question = () => this.store.takeRates(asks);
    const { granted, now, machines } = await withDeadline(question, { what: 'limits of keys', limit: ANSWER_MS });
    this.machines = Math.max(1, machines);
    const ahead = askedAt - now;
    return granted.map((one) => ({ ...one, endsAt: one.endsAt + ahead }));
  }

  private takeOwn(keyId: string, wanted: number, now: number): Granted {
    // What all have used up is nobody's part.
    const waitMs = (this.freeAt.get(keyId) ?? 0) - now;
    if (waitMs > 0) return { given: 0, slice: 0, endsAt: now, waitMs };
    const granted = this.own.take(keyId, wanted, now);
    if (granted.given > 0) this.spent.set(keyId, (this.spent.get(keyId) ?? 0) + granted.given);
    return granted;
  }

  private goAway(error: unknown): void {
    if (this.isAway) return;
    this.isAway = true;
    this.log.warn({ err: error, machines: this.machines }, 'limits of keys: this machine counts its part by itself');
    setTimeout(() => void this.comeBack(), RETRY_MS).unref();
  }

  private async comeBack(): Promise<void> {
    const told = this.spent;
    this.spent = new Map();
    try {
      await this.ask(this.asksOf(told));
    } catch {
      for (const [keyId, count] of told) this.spent.set(keyId, count + (this.spent.get(keyId) ?? 0));
      setTimeout(() => void this.comeBack(), RETRY_MS).unref();
      return;
    }
    this.isAway = false;
    for (const ask of this.asksOf(this.spent)) this.enqueue(ask, () => undefined);
    this.spent.clear();
  }

  private asksOf(spent: ReadonlyMap<string, number>): RateAsk[] {
    return [...spent].flatMap(([keyId, count]) => {
      const limit = this.limitOf(keyId);
      return limit ? [{ keyId, limit, wanted: 0, spent: count }] : [];
    });
  }
}
