import { type EntityManager, LessThan, MoreThan, QueryFailedError } from 'typeorm';
import type { Config } from '../../config';
import { updateSince } from '../../configured-rows';
import { withTimeBudget } from '../../database/deadline';
import { createDatabase, type Database } from '../../database/source';
import type { ConfigurationUpdate } from '../../decide/rows';
import { ApiKey } from '../../gateway/keys/key.entity';
import { type RateAsk, type RatesTaken, takeRates } from '../../gateway/keys/take-rates';
import { appendRequests, type RequestEntry } from '../../gateway/requests/request-log.service';
import { recordUsage } from '../../gateway/usage/record-usage';
import { UsageBatch } from '../../gateway/usage/usage.entity';
import { Edge } from '../../live/edge.entity';
import { entities as tables } from '../../schema';
import { type CountedSubject, countRequests } from '../counted-usage';

const byId = (one: CountedSubject, other: CountedSubject) => (one.entityId < other.entityId ? -1 : 1);

/**
 * Why the database refused, for the log; undefined for a fault that is not the database's. Before the core has migrated it,
 * as at a first start, it refuses what this build asks.
 */
export const refusalOf = (error: unknown): string | undefined =>
  error instanceof QueryFailedError ? error.message : undefined;

/** Limit of one operation, opening the database included. */
const TIMEOUT_MS = 6_000;
/** An edge that has not reported for so long is gone. */
const SEEN_MS = 5_000;

/** The edge's access to the database: reads the configuration, stores usage, requests and the served revision. */
export class Store {
  private readonly database: Database;
  private opening: Promise<void> | undefined;

  constructor(config: Config) {
    this.database = createDatabase(config, tables);
  }

  private run<Value>(operation: (database: Database) => Promise<Value>): Promise<Value> {
    return withTimeBudget(TIMEOUT_MS, async () => {
      this.opening ??= this.database.open();
      const { opening } = this;
      await opening.catch((error: unknown) => {
        if (this.opening === opening) this.opening = undefined;
        throw error;
      });
      return operation(this.database);
    });
  }

  /** False until the core has brought the schema up to date. */
  isReady(): Promise<boolean> {
    return this.run((database) => database.isReady());
  }

  async close(): Promise<void> {
    if (this.opening) await this.database.close();
  }

  /** As `updateSince` of the configured rows says. */
  updateSince(known: number | undefined): Promise<ConfigurationUpdate | undefined> {
    return this.run(({ read }) => updateSince(read, known));
  }

  /** Adds a batch once: one that came in before, by its number, is skipped; so is its double that is still under way. */
  addUsage(edgeId: string, sequence: number, usage: CountedSubject[]): Promise<void> {
    return this.append(async (manager) => {
      const deliveredAt = new Date().toISOString();
      await manager
        .createQueryBuilder()
        .insert()
        .into(UsageBatch)
        .values({ edgeId, sequence: 0, deliveredAt })
        .orIgnore()
        .execute();
      const { affected: isNew } = await manager.update(
        UsageBatch,
        { edgeId, sequence: LessThan(sequence) },
        { sequence, deliveredAt },
      );
      if (isNew === 0) return;
      // Always in the same order, so that no two edges wait for each other.
      for (const key of usage.filter(({ lastUsedAt }) => lastUsedAt !== undefined).sort(byId)) {
        await manager
          .createQueryBuilder()
          .update(ApiKey)
          .set({
            usageCount: () => `"usageCount" + ${countRequests(key)}`,
            lastUsedAt: () => `CASE WHEN "lastUsedAt" > :lastUsedAt THEN "lastUsedAt" ELSE :lastUsedAt END`,
          })
          .where('_id = :keyId')
          .setParameters({ keyId: key.entityId, lastUsedAt: key.lastUsedAt })
          .execute();
      }
      await recordUsage(manager, usage);
    });
  }

  /** Appends to the request log. */
  addRequests(entries: readonly RequestEntry[]): Promise<void> {
    return this.append((manager) => appendRequests(manager, entries));
  }

  /** Leave for keys with a limit, from the windows that all machines share; and how many machines there are. */
  takeRates(asks: readonly RateAsk[]): Promise<RatesTaken & { machines: number }> {
    return this.append(async (manager) => {
      const taken = await takeRates(manager, asks);
      const seenAt = MoreThan(new Date(Date.now() - SEEN_MS).toISOString());
      return { ...taken, machines: await manager.countBy(Edge, { seenAt }) };
    });
  }

  private append<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.run((database) => database.append(work));
  }

  /** Stores which revision an edge serves; `LiveService` waits for it. */
  reportServed(id: string, served: Pick<Edge, 'revision' | 'refused'>): Promise<void> {
    const row = { id, ...served, seenAt: new Date().toISOString() };
    return this.append(async (manager) => void (await manager.upsert(Edge, row, ['id'])));
  }

  removeEdge(id: string): Promise<void> {
    return this.append(async (manager) => void (await manager.delete(Edge, { id })));
  }
}
