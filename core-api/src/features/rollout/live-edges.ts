import { type EntityManager, In, LessThan, MoreThan } from 'typeorm';
import { isSharedDatabase } from '../../platform/database/queries/dialect';
import { MINUTE_MS, toIsoFromNow } from '../../platform/time/relative-time';
import { Edge } from './edge.entity';

interface ReportIntervals {
  /** Interval between two reports of an edge whose configuration does not change, ms. */
  heartbeatMs: number;
  /** An edge counts as stopped if its row is older than this, ms. */
  timeoutMs: number;
}

/** An edge is silent if it has not reported for this long while a save waits for it, ms. */
const SILENT_MS = 5_000;
/** On PostgreSQL: short, because saves wait for all live edges, and limits of keys are divided among live edges. */
const SHARED: ReportIntervals = { heartbeatMs: 2_000, timeoutMs: SILENT_MS };
/**
 * On SQLite only saves depend on the reports. Every report writes two pages, which would be 350 MB a day at an interval
 * of 2 s. A save removes the row of an edge that it waits for in vain and that is silent (`removeSilentEdges`).
 */
const LOCAL: ReportIntervals = { heartbeatMs: 5 * MINUTE_MS, timeoutMs: 11 * MINUTE_MS };

export const getReportIntervals = (isShared: boolean): ReportIntervals => (isShared ? SHARED : LOCAL);

const createLiveCondition = (manager: EntityManager) => ({
  seenAt: MoreThan(toIsoFromNow(-getReportIntervals(isSharedDatabase(manager)).timeoutMs)),
});

export const listLiveEdges = (manager: EntityManager): Promise<Edge[]> =>
  manager.findBy(Edge, createLiveCondition(manager));

export const countLiveEdges = (manager: EntityManager): Promise<number> =>
  manager.countBy(Edge, createLiveCondition(manager));

/** Stores the revision that an edge serves, with the current time as proof that the edge runs. */
export async function storeEdge(manager: EntityManager, edge: Omit<Edge, 'seenAt'>): Promise<void> {
  await manager.upsert(Edge, { ...edge, seenAt: new Date().toISOString() }, ['id']);
}

/** Removes a stopped edge, so that no save waits for it. */
export async function removeEdge(manager: EntityManager, id: string): Promise<void> {
  await manager.delete(Edge, { id });
}

/**
 * Removes the edges among `edges` that are silent. An edge that still runs stores its row again.
 * @returns whether none of `edges` is left
 */
export async function removeSilentEdges(manager: EntityManager, edges: readonly Edge[]): Promise<boolean> {
  const id = In(edges.map((edge) => edge.id));
  await manager.delete(Edge, { id, seenAt: LessThan(toIsoFromNow(-SILENT_MS)) });
  return !(await manager.existsBy(Edge, { id }));
}
