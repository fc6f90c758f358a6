import { isDeepStrictEqual } from 'node:util';
import type { Edge } from '../../features/rollout/edge.entity';
import { withDeadline } from '../../platform/database/connection/deadline';
import type { ToPrimary } from '../ipc/messages';
import type { EdgeStore } from './edge-store';

const DEREGISTER_TIMEOUT_MS = 1_000;
const RETRY_MS = 500;

type AppliedMessage = Extract<ToPrimary, { type: 'applied' }>;
type CommonState = Pick<Edge, 'revision' | 'refused'>;

/** Runs in the primary. It writes the revision that all workers serve into this edge's row of the database. */
export class RevisionReporter {
  private readonly appliedByWorker = new Map<number, AppliedMessage>();
  /** `at` and `retryAt` are times of the monotonic clock, ms. Setting the system clock back does not affect them. */
  private lastReport: { state: CommonState; at: number } | undefined;
  private retryAt = 0;

  constructor(
    private readonly store: Pick<EdgeStore, 'heartbeatMs' | 'reportServed' | 'removeEdge'>,
    private readonly edgeId: string,
  ) {}

  onApplied(worker: number, message: AppliedMessage): void {
    this.appliedByWorker.set(worker, message);
  }

  onWorkerExited(worker: number): void {
    this.appliedByWorker.delete(worker);
  }

  /** Returns the oldest revision that a worker serves, and the entities that any worker refuses. */
  private get commonState(): CommonState | undefined {
    const reports = [...this.appliedByWorker.values()];
    if (reports.length === 0) return undefined;
    return {
      revision: Math.min(...reports.map(({ revision }) => revision)),
      refused: Object.fromEntries(reports.flatMap(({ refused }) => refused)),
    };
  }

  /** Writes the row after a change of its state, and every `heartbeatMs`. @returns false if it wrote nothing */
  async report(): Promise<boolean> {
    const { commonState } = this;
    const now = performance.now();
    if (!commonState || now < this.retryAt) return false;
    const { state, at = 0 } = this.lastReport ?? {};
    if (isDeepStrictEqual(state, commonState) && now - at < this.store.heartbeatMs) return false;
    this.retryAt = now + RETRY_MS;
    await this.store.reportServed(this.edgeId, commonState);
    this.retryAt = 0;
    this.lastReport = { state: commonState, at: now };
    return true;
  }

  /** Removes the row, so that no save waits for this edge. */
  async deregister(): Promise<void> {
    await withDeadline(() => this.store.removeEdge(this.edgeId), {
      name: 'deregistration',
      limitMs: DEREGISTER_TIMEOUT_MS,
    });
  }
}
