import { withDeadline } from '../../database/deadline';
import type { Edge } from '../../live/edge.entity';
import type { ToPrimary } from '../messages';
import type { Store } from './store';

/** A row older than 5 s counts as a stopped edge. */
const REPEAT_MS = 2_000;
const DEREGISTER_TIMEOUT_MS = 1_000;
/** Pause after a failure. */
const RETRY_MS = 500;

type Applied = Extract<ToPrimary, { type: 'applied' }>;

/** Stores in this edge's row which revision all of its workers serve. */
export class RevisionReporter {
  private readonly byWorker = new Map<number, Applied>();
  private reported: { revision: number; at: number } | undefined;
  private retryAt = 0;

  constructor(
    private readonly store: Pick<Store, 'reportServed' | 'removeEdge'>,
    private readonly edgeId: string,
  ) {}

  applied(worker: number, message: Applied): void {
    this.byWorker.set(worker, message);
  }

  workerExited(worker: number): void {
    this.byWorker.delete(worker);
  }

  /** The oldest revision that a worker serves, and every entity that one of them refuses. */
  private get common(): Pick<Edge, 'revision' | 'refused'> | undefined {
    const all = [...this.byWorker.values()];
    if (all.length === 0) return undefined;
    return {
      revision: Math.min(...all.map(({ revision }) => revision)),
      refused: Object.fromEntries(all.flatMap(({ refused }) => refused)),
    };
  }

  /** Writes the row when the revision has changed, and every 2 s. */
  async report(): Promise<void> {
    const { common } = this;
    const now = Date.now();
    if (
      !common ||
      now < this.retryAt ||
      (this.reported?.revision === common.revision && now - this.reported.at < REPEAT_MS)
    )
      return;
    this.retryAt = now + RETRY_MS;
    await this.store.reportServed(this.edgeId, common);
    this.retryAt = 0;
    this.reported = { revision: common.revision, at: now };
  }

  /** Removes the row, so that no save waits for this edge. */
  async deregister(): Promise<void> {
    await withDeadline(() => this.store.removeEdge(this.edgeId), {
      what: 'deregistration',
      limit: DEREGISTER_TIMEOUT_MS,
    });
  }
}
