import type { Logger } from 'pino';
import { type KeyUsage, mergeUsage } from './gateway/count';
import type { Store } from './store';

/**
 * Brings counted requests to the database in numbered batches. A batch that failed is kept and sent again under its
 * number, so that one whose confirmation was lost is counted once; meanwhile the next one gathers.
 */
export class UsageDelivery {
  private sequence = 0;
  private gathered = new Map<string, KeyUsage>();
  private batch: KeyUsage[] = [];
  private running: Promise<void> | undefined;

  constructor(
    private readonly store: Store,
    private readonly edgeId: string,
    private readonly log: Logger,
  ) {}

  add(usage: readonly KeyUsage[]): void {
    mergeUsage(this.gathered, usage);
  }

  /** Counted requests that are not in the database yet. */
  get pending(): number {
    return [...this.batch, ...this.gathered.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** Delivers what there is; a failure is logged and tried again with the next call. */
  deliver(): Promise<void> {
    this.running ??= this.deliverOnce().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async deliverOnce(): Promise<void> {
    if (this.batch.length === 0) {
      if (this.gathered.size === 0) return;
      this.batch = [...this.gathered.values()].map(mergeMinutes);
      this.gathered = new Map();
      this.sequence += 1;
    }
    try {
      await this.store.addUsage(this.edgeId, this.sequence, this.batch);
      this.batch = [];
    } catch (error) {
      this.log.warn({ err: error, pending: this.pending }, 'usage could not be stored yet');
    }
  }
}

/** One entry per minute, whichever worker and report it came from. */
function mergeMinutes({ minutes, ...usage }: KeyUsage): KeyUsage {
  const merged = new Map<string, KeyUsage['minutes'][number]>();
  for (const minute of minutes) {
    const known = merged.get(minute.minute) ?? {
      minute: minute.minute,
      requests: 0,
      errors4xx: 0,
      errors5xx: 0,
      durationMs: 0,
    };
    known.requests += minute.requests;
    known.errors4xx += minute.errors4xx;
    known.errors5xx += minute.errors5xx;
    known.durationMs += minute.durationMs;
    merged.set(minute.minute, known);
  }
  return { ...usage, minutes: [...merged.values()] };
}
