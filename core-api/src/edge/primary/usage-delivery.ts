import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { withDeadline } from '../../database/deadline';
import { type CountedSubject, countEntries, countRequests, mergeHours, mergeUsage, splitUsage } from '../counted-usage';
import type { StateFolder } from './state-folder';
import type { Store } from './store';

/** Counted requests under a sequence number: the database skips one that it has. */
interface UsageBatch {
  edgeId: string;
  sequence: number;
  usage: CountedSubject[];
}

const FILE = 'usage.json';
const CLOSE_MS = 1_500;
/** A batch is written within a fraction of the time that the database has for it. */
const MAX_ENTRIES = 1_000;
/** Beyond this number waiting entries are merged by the hour, so that an outage of days fits into memory and file. */
const MAX_MINUTE_ENTRIES = 20_000;

/**
 * Stores counted requests in numbered batches. A failed batch is sent again under its number, so that one whose
 * confirmation was lost counts once. While batches wait, a file holds all of them, and the counts gathered since under
 * the next number: an edge that reads the file after a crash delivers it, and the database skips what it has.
 */
export class UsageDelivery {
  private sequence = 0;
  private gathered = new Map<string, CountedSubject>();
  private waiting: UsageBatch[] = [];
  private isSpilled = false;
  private isFailing = false;
  private running: Promise<void> | undefined;
  private writing = Promise.resolve();

  constructor(
    private readonly store: Pick<Store, 'addUsage'>,
    private readonly files: StateFolder,
    private readonly edgeId: string,
    private readonly log: Logger,
  ) {}

  /** Loads what the previous edge process could not deliver. */
  async recover(): Promise<void> {
    const found = await this.files.read(FILE);
    if (!found) return;
    this.isSpilled = true;
    const batches = found.value as UsageBatch[];
    this.waiting = batches.flatMap(recovered);
    if (this.waiting.length > batches.length) await this.spill();
  }

  add(usage: readonly CountedSubject[]): void {
    mergeUsage(this.gathered, usage);
    if (countEntries(this.gathered.values()) > MAX_MINUTE_ENTRIES) this.gathered = mergeHours(this.gathered.values());
  }

  /** Counted requests that are not in the database yet. */
  get pending(): number {
    const subjects = [...this.waiting.flatMap(({ usage }) => usage), ...this.gathered.values()];
    const all = subjects.filter(({ dimension, reason }) => dimension === 'gateway' && reason === undefined);
    return all.reduce((sum, subject) => sum + countRequests(subject), 0);
  }

  /** The last delivery. The file comes first, so that a database that hangs loses no count. */
  async close(): Promise<void> {
    this.numberBatches();
    try {
      await this.spill();
      await withDeadline(() => this.deliver(), { what: 'usage', limit: CLOSE_MS });
      await this.spill();
    } catch (error) {
      this.log.error({ err: error, pending: this.pending }, 'usage is kept for the next start');
    }
  }

  /** Turns the gathered counts into numbered batches. */
  private numberBatches(): void {
    for (const usage of splitUsage(this.gathered.values(), MAX_ENTRIES)) {
      this.sequence += 1;
      this.waiting.push({ edgeId: this.edgeId, sequence: this.sequence, usage });
    }
    this.gathered = new Map();
  }

  /** Delivers everything; the next call retries what fails. */
  deliver(): Promise<void> {
    this.running ??= this.deliverOnce().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async deliverOnce(): Promise<void> {
    try {
      await this.deliverWaiting();
      this.numberBatches();
      // The file has these counts as one batch still: it must know their numbers before one of them is delivered.
      if (this.isSpilled) await this.spill();
      await this.deliverWaiting();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.log.warn({ err: error, pending: this.pending }, 'usage could not be stored yet');
      this.isFailing = true;
    }
  }

  private async deliverWaiting(): Promise<void> {
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      await this.store.addUsage(next.edgeId, next.sequence, next.usage);
      this.waiting.shift();
    }
  }

  /** Keeps in a file what waits at this moment, also while a delivery is under way. */
  spill(): Promise<void> {
    this.writing = this.writing.catch(() => undefined).then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    if (this.waiting.length > 0) {
      this.isSpilled = true;
      const usage = [...this.gathered.values()];
      const next = usage.length > 0 ? [{ edgeId: this.edgeId, sequence: this.sequence + 1, usage }] : [];
      await this.files.write(FILE, [...this.waiting, ...next]);
    } else if (this.isSpilled) {
      await this.files.remove(FILE);
      this.isSpilled = false;
    }
  }
}

/** Splits a batch that is too large for one delivery; the parts get the id of a new edge and its numbers. */
function recovered(batch: UsageBatch): UsageBatch[] {
  const usage = batch.usage.map(current);
  const parts = splitUsage(usage, MAX_ENTRIES);
  if (parts.length === 1) return [{ ...batch, usage }];
  const edgeId = randomUUID();
  return parts.map((part, index) => ({ edgeId, sequence: index + 1, usage: part }));
}

/** Converts entries of an earlier build, which counted by key only. */
function current(subject: CountedSubject & { keyId?: string }): CountedSubject {
  const { keyId, lastUsedAt } = subject;
  if (keyId === undefined) return subject;
  const minutes = subject.minutes.map((counts) => ({ ...counts, refused: 0, latency: [] }));
  return { dimension: 'key', entityId: keyId, minutes, lastUsedAt };
}
