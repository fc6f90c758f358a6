/** Time for the refetch of a list on a slow network. A row that is painted later is not marked. */
const RECENT_MS = 5_000;

let latestRow: { id: string; atMs: number } | undefined;

/** Remembers the id of a new row, so that it is marked in its list. */
export function markRecentlyCreated(id: string | undefined): void {
  if (id !== undefined) latestRow = { id, atMs: performance.now() };
}

/** Whether this browser tab has just created the row. */
export const isRecentlyCreated = (id: string): boolean =>
  latestRow?.id === id && performance.now() - latestRow.atMs < RECENT_MS;
