import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { withDeadline } from '../../platform/database/connection/deadline';
import type { CountedSubject } from '../../platform/usage/counted-subject';
import type { EdgeStore } from '../config-sync/edge-store';
import { usageFile } from '../config-sync/state-files.schema';
import type { StateFolder } from '../config-sync/state-folder';
import { countEntries, countRequests, mergeByHour, mergeUsage, splitUsage } from './counted-usage';

/** Counts with a sequence number. The database ignores a sequence number that it has already stored. */
type UsageBatch = z.infer<typeof usageFile>['batches'][number];

const FILE = 'usage.json';
const CLOSE_TIMEOUT_MS = 1_500;
/** Maximum number of entries per batch, so that a batch takes a fraction of the database's time limit. */
const MAX_ENTRIES = 1_000;
/** Above this number, entries are merged by hour, so that the counts of a long outage fit into memory and file. */
const MAX_MINUTE_ENTRIES = 20_000;

/**
 * Runs in the primary and stores counted requests in numbered batches. A failed batch is sent again with its number, so
 * a batch whose confirmation was lost counts once. Waiting batches and newer counts are also in a file. After a crash
 * the next edge delivers the file, and the database ignores batches that it has already stored.
 */
export class UsageDelivery {
  private sequence = 0;
  private unnumberedUsage = new Map<string, CountedSubject>();
  private batches: UsageBatch[] = [];
  private hasFile = false;
  private hasWarned = false;
  private currentDelivery: Promise<void> | undefined;
  private lastWrite = Promise.resolve();

  constructor(
    private readonly store: Pick<EdgeStore, 'addUsage'>,
    private readonly files: StateFolder,
    private readonly edgeId: string,
    private readonly log: Logger,
  ) {}

  /** Loads the counts that the previous edge could not deliver. New ids of split batches are stored before delivery. */
  async recover(): Promise<void> {
    const file = await this.files.read(FILE, usageFile);
    if (!file) return;
    this.hasFile = true;
    this.batches = file.batches.flatMap(splitRecovered);
    if (this.batches.length > file.batches.length) await this.persist();
  }

  add(usage: readonly CountedSubject[]): void {
    mergeUsage(this.unnumberedUsage, usage);
    if (countEntries(this.unnumberedUsage.values()) > MAX_MINUTE_ENTRIES)
      this.unnumberedUsage = mergeByHour(this.unnumberedUsage.values());
  }

  /** Number of counted requests that are not in the database yet. */
  get pending(): number {
    const subjects = [...this.batches.flatMap(({ usage }) => usage), ...this.unnumberedUsage.values()];
    const gatewayTotals = subjects.filter(({ dimension, reason }) => dimension === 'gateway' && reason === undefined);
    return gatewayTotals.reduce((sum, subject) => sum + countRequests(subject), 0);
  }

  /** Delivers the last counts. The file is written first, so that no count is lost if the database hangs. */
  async close(): Promise<void> {
    this.numberBatches();
    try {
      await this.persist();
      await withDeadline(() => this.deliver(), { name: 'usage', limitMs: CLOSE_TIMEOUT_MS });
      await this.persist();
    } catch (error) {
      this.log.error({ err: error, pending: this.pending }, 'usage is kept for the next start');
    }
  }

  /** Puts the counts without a number into numbered batches. */
  private numberBatches(): void {
    for (const usage of splitUsage(this.unnumberedUsage.values(), MAX_ENTRIES)) {
      this.sequence += 1;
      this.batches.push({ edgeId: this.edgeId, sequence: this.sequence, usage });
    }
    this.unnumberedUsage = new Map();
  }

  /** Delivers all counts. The next call retries failed deliveries. */
  deliver(): Promise<void> {
    this.currentDelivery ??= this.deliverOnce().finally(() => {
      this.currentDelivery = undefined;
    });
    return this.currentDelivery;
  }

  private async deliverOnce(): Promise<void> {
    try {
      await this.deliverWaiting();
      this.numberBatches();
      // The file may have these counts as one large batch. `recover` would split it under a new id and count it twice.
      if (this.hasFile) await this.persist();
      await this.deliverWaiting();
      this.hasWarned = false;
    } catch (error) {
      if (!this.hasWarned) this.log.warn({ err: error, pending: this.pending }, 'usage could not be stored yet');
      this.hasWarned = true;
    }
  }

  private async deliverWaiting(): Promise<void> {
    for (let batch = this.batches[0]; batch; batch = this.batches[0]) {
      await this.store.addUsage(batch.edgeId, batch.sequence, batch.usage);
      this.batches.shift();
    }
  }

  /** Writes waiting batches and newer counts to the file, or removes the file if no batch waits. */
  persist(): Promise<void> {
    this.lastWrite = this.lastWrite.catch(() => undefined).then(() => this.write());
    return this.lastWrite;
  }

  private async write(): Promise<void> {
    if (this.batches.length > 0) {
      this.hasFile = true;
      const usage = [...this.unnumberedUsage.values()];
      const nextBatches = usage.length > 0 ? [{ edgeId: this.edgeId, sequence: this.sequence + 1, usage }] : [];
      await this.files.write(FILE, { version: 1, batches: [...this.batches, ...nextBatches] });
    } else if (this.hasFile) {
      await this.files.remove(FILE);
      this.hasFile = false;
    }
  }
}

/** Splits a batch that is too large for one delivery. A new edge id avoids number conflicts with later batches. */
function splitRecovered(batch: UsageBatch): UsageBatch[] {
  const parts = splitUsage(batch.usage, MAX_ENTRIES);
  if (parts.length === 1) return [batch];
  const edgeId = randomUUID();
  return parts.map((part, index) => ({ edgeId, sequence: index + 1, usage: part }));
}
