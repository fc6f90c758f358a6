import type { RequestEntry } from '../../features/gateway/requests/request-log.service';
import type { EdgeStore } from '../config-sync/edge-store';

/** Maximum number of entries that wait while the database is away. Older entries are dropped. */
const MAX_WAITING_ENTRIES = 5_000;

/** Runs in the primary and appends requests to the request log in batches. */
export class RequestDelivery {
  private queuedEntries: RequestEntry[] = [];

  constructor(private readonly store: Pick<EdgeStore, 'addRequests'>) {}

  add(entries: readonly RequestEntry[]): void {
    if (entries.length > 0) this.queuedEntries = [...this.queuedEntries, ...entries].slice(-MAX_WAITING_ENTRIES);
  }

  /** Delivers all entries. After a failure, the next call tries again. */
  async deliver(): Promise<void> {
    const batch = this.queuedEntries;
    if (batch.length === 0) return;
    this.queuedEntries = [];
    try {
      await this.store.addRequests(batch);
    } catch (error) {
      this.queuedEntries = [...batch, ...this.queuedEntries].slice(-MAX_WAITING_ENTRIES);
      throw error;
    }
  }
}
