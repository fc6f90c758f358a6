/** A list has been read again by then, even on a slow network; later the row is no news. */
const NEWS = 5_000;

let latest: { id: string; at: number } | undefined;

/** Says that this administrator has just created something: its row enters its list visibly. */
export function announceArrival(id: string | undefined): void {
  if (id !== undefined) latest = { id, at: performance.now() };
}

/** Whether the row of that id is the news. */
export const isArrival = (id: string): boolean => latest?.id === id && performance.now() - latest.at < NEWS;
