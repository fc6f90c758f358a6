import type { RetentionRule } from './retention';

const BATCH_ROWS = 500;

interface OlderThan {
  table: string;
  /** Name of the primary key's only column. */
  key: string;
  /** Column with the instant (ISO 8601) that a row's age is counted from. */
  column: string;
  keepMs: number;
  /** Further SQL condition. */
  where?: string;
}

/** Removes the rows of a table that are older than `keepMs`. */
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
