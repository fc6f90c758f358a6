import { LRUCache } from 'lru-cache';

/** Time to live of an entry. A change by another process takes effect within this time. */
const TTL_MS = 1_000;
const MAX_ENTRIES = 10_000;

/** Caches rows that every request needs. A change by this process takes effect immediately (`clear`). */
export class RowCache<Row extends object> {
  private readonly rows = new LRUCache<string, Row>({ max: MAX_ENTRIES, ttl: TTL_MS });
  private changeCount = 0;

  async get(key: string, read: () => Promise<Row | undefined>): Promise<Row | undefined> {
    const cachedRow = this.rows.get(key);
    if (cachedRow) return cachedRow;
    const { changeCount } = this;
    const row = await read();
    // A read that overlaps a change may have returned the old row, so it is not cached.
    if (row && changeCount === this.changeCount) this.rows.set(key, row);
    return row;
  }

  readonly clear = (): void => {
    this.changeCount += 1;
    this.rows.clear();
  };
}
