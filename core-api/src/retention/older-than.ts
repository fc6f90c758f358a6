import type { RetentionRule } from './retention';

const BATCH_ROWS = 500;
export const DAY_MS = 86_400_000;

interface OlderThan {
  table: string;
  /** The primary key, one column. */
  key: string;
  /** The instant (ISO 8601) that a row's age is counted from. */
  column: string;
  keepMs: number;
  /** A further condition, in SQL. */
  where?: string;
}

/** Rows of an ordinary table that are older than so many milliseconds. */
export const olderThan = ({ table, key, column, keepMs, where = 'TRUE' }: OlderThan): RetentionRule => ({
  table,
  async removeBatch(manager, now) {
    const rows: { key: string }[] = await manager.query(
      `SELECT "${key}" AS key FROM ${table} WHERE "${column}" < $1 AND ${where} LIMIT ${BATCH_ROWS}`,
      [new Date(now - keepMs).toISOString()],
    );
    if (rows.length === 0) return false;
    const places = rows.map((_, index) => `$${index + 1}`).join(', ');
    await manager.query(
      `DELETE FROM ${table} WHERE "${key}" IN (${places})`,
      rows.map((row) => row.key),
    );
    return rows.length === BATCH_ROWS;
  },
});
