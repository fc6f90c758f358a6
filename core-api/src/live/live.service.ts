import { setTimeout as sleep } from 'node:timers/promises';
import { MoreThan } from 'typeorm';
import { z } from 'zod';
import { currentRevision } from '../configuration/configuration.service';
import type { Database } from '../database/source';
import { Edge } from './edge.entity';
import { liveMessages as messages } from './live.messages';

/** An edge whose row is older counts as stopped. */
const EDGE_TIMEOUT_MS = 5_000;
const MAX_WAIT_MS = 1_000;
const POLL_INTERVAL_MS = 25;

/** Whether the edges serve a save. */
export const liveResponse = z
  .object({ state: z.enum(['active', 'refused', 'pending']), reason: z.string().optional() })
  .meta({ id: 'Live' });
export type Live = z.output<typeof liveResponse>;

export class LiveService {
  constructor(private readonly database: Database) {}

  /**
   * Waits up to 1 s until every edge seen in the last 5 s serves the newest revision. Called after the commit, outside
   * of every transaction.
   * @param id of the saved entity
   */
  async of(id: string): Promise<Live> {
    const { read } = this.database;
    const revision = await currentRevision(read);
    const end = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const seenAt = MoreThan(new Date(Date.now() - EDGE_TIMEOUT_MS).toISOString());
      const edges = await read.findBy(Edge, { seenAt });
      if (edges.length === 0) return { state: 'pending', reason: messages.noEdge };
      const behind = edges.filter((edge) => edge.revision < revision);
      const refusal = edges
        .filter((edge) => !behind.includes(edge))
        .map(({ refused }) => refused[id])
        .find(Boolean);
      if (refusal) return { state: 'refused', reason: messages[refusal] };
      if (behind.length === 0) return { state: 'active' };
      if (performance.now() > end) return { state: 'pending', reason: messages.notYet };
      await sleep(POLL_INTERVAL_MS);
    }
  }
}
