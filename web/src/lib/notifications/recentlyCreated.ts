/**
 * A row is marked only if it is painted within this time after its creation. The time is enough for the refetch of its
 * list on a slow network.
 */
const RECENT_MS = 5_000;

let latestRow: { id: string; atMs: number } | undefined;

/** Remembers the id of a new row, so that it is marked in its list. */
export function markRecentlyCreated(id: string | undefined): void {
  if (id !== undefined) latestRow = { id, atMs: performance.now() };
}

/** Whether this browser tab has just created the row. */
export const isRecentlyCreated = (id: string): boolean =>
  latestRow?.id === id && performance.now() - latestRow.atMs < RECENT_MS;
