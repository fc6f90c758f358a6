import { setTimeout as sleep } from 'node:timers/promises';
import { readCurrentRevision } from '../../platform/config-revisions/config-revisions';
import type { Database } from '../../platform/database/database';
import { listLiveEdges, removeSilentEdges } from './live-edges';
import { rolloutMessages as messages } from './rollout.messages';
import type { RolloutStatus } from './rollout.schema';

const MAX_WAIT_MS = 1_000;
/** Shortest and longest pause between two polls. Edges usually report within 30 ms of the save. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5, 50];

export class RolloutService {
  constructor(private readonly database: Database) {}

  /**
   * Waits up to 1 s until every live edge serves the newest revision. Call it after the commit, outside of any
   * transaction.
   * @param id of the saved entity
   */
  async waitForStatus(id: string): Promise<RolloutStatus> {
    const { read } = this.database;
    const revision = await readCurrentRevision(read);
    const start = performance.now();
    for (;;) {
      const edges = await listLiveEdges(read);
      if (edges.length === 0) return { state: 'pending', reason: messages.noEdge };
      const lateEdges = edges.filter((edge) => edge.revision < revision);
      const refusal = edges
        .filter((edge) => !lateEdges.includes(edge))
        .map(({ refused }) => refused[id])
        .find(Boolean);
      if (refusal) return { state: 'refused', reason: messages[refusal] };
      if (lateEdges.length === 0) return { state: 'active' };
      const waitedMs = performance.now() - start;
      if (waitedMs >= MAX_WAIT_MS) {
        // An edge that no longer reports does not count, if another edge serves the revision.
        const areRemoved = await this.database.concurrentWrite((manager) => removeSilentEdges(manager, lateEdges));
        if (areRemoved && lateEdges.length < edges.length) return { state: 'active' };
        return { state: 'pending', reason: messages.notYet };
      }
      // The pause is a quarter of the wait, so that a late edge costs few queries.
      await sleep(Math.min(Math.max(waitedMs / 4, MIN_PAUSE_MS), MAX_PAUSE_MS, MAX_WAIT_MS - waitedMs));
    }
  }
}
