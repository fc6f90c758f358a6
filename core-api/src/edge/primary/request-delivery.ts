import type { RequestEntry } from '../../gateway/requests/request-log.service';
import type { Store } from './store';

/** Kept while the database is away; older entries are dropped. The log itself keeps 10,000. */
const MAX_WAITING = 5_000;

/** Appends answered requests to the request log in batches. */
export class RequestDelivery {
  private waiting: RequestEntry[] = [];

  constructor(private readonly store: Pick<Store, 'addRequests'>) {}

  add(entries: readonly RequestEntry[]): void {
    if (entries.length > 0) this.waiting = [...this.waiting, ...entries].slice(-MAX_WAITING);
  }

  /** The next call retries what fails. */
  async deliver(): Promise<void> {
    const batch = this.waiting;
    if (batch.length === 0) return;
    this.waiting = [];
    try {
      await this.store.addRequests(batch);
    } catch (error) {
      this.waiting = [...batch, ...this.waiting].slice(-MAX_WAITING);
      throw error;
    }
  }
}
