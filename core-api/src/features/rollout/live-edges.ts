import { type EntityManager, type FindOptionsWhere, MoreThan } from 'typeorm';
import { Edge } from './edge.entity';

/** An edge counts as stopped if its row is older than this. */
const EDGE_TIMEOUT_MS = 5_000;

const isLive = (): FindOptionsWhere<Edge> => ({
  seenAt: MoreThan(new Date(Date.now() - EDGE_TIMEOUT_MS).toISOString()),
});

/** Edges that have reported within the last 5 s. */
export const listLiveEdges = (manager: EntityManager): Promise<Edge[]> => manager.findBy(Edge, isLive());

export const countLiveEdges = (manager: EntityManager): Promise<number> => manager.countBy(Edge, isLive());

/** Stores the revision that an edge serves, and that it is alive. */
export async function reportEdge(manager: EntityManager, edge: Omit<Edge, 'seenAt'>): Promise<void> {
  await manager.upsert(Edge, { ...edge, seenAt: new Date().toISOString() }, ['id']);
}

/** Removes a stopped edge, so that no save waits for it. */
export async function removeEdge(manager: EntityManager, id: string): Promise<void> {
  await manager.delete(Edge, { id });
}
