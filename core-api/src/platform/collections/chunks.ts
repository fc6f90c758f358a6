import { setImmediate as nextTurn } from 'node:timers/promises';

/** Default number of rows in one statement. Both databases limit the parameters of a statement. */
const ROWS_PER_STATEMENT = 500;

/** Splits a list into arrays of at most `size` items. */
export function* chunks<Item>(items: readonly Item[], size = ROWS_PER_STATEMENT): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Number of items per turn of the event loop, so that a turn takes a few milliseconds. */
const ITEMS_PER_TURN = 1_000;

/** Yields each chunk in its own turn of the event loop, so that other requests are answered in between. */
export async function* chunksInTurns<Item>(items: readonly Item[]): AsyncGenerator<Item[]> {
  for (const chunk of chunks(items, ITEMS_PER_TURN)) {
    yield chunk;
    await nextTurn();
  }
}
