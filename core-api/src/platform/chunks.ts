/** Rows of one statement by default. Both databases limit the parameters of a statement. */
const ROWS_PER_STATEMENT = 500;

/** Splits a list into arrays of at most `size` items. */
export function* chunks<Item>(items: readonly Item[], size = ROWS_PER_STATEMENT): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
