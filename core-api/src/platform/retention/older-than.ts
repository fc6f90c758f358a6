import type { RetentionRule } from './retention';

const BATCH_ROWS = 500;

interface OlderThan {
  table: string;
  /** A column of the primary key. */
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
    const isOld = `"${column}" < $1 AND ${where}`;
    const before = new Date(now - keepMs).toISOString();
    const rows: { key: string }[] = await manager.query(
      `SELECT "${key}" AS key FROM ${table} WHERE ${isOld} LIMIT ${BATCH_ROWS}`,
      [before],
    );
    if (rows.length === 0) return false;
    const placeholders = rows.map((_, index) => `$${index + 2}`).join(', ');
    // The age is checked again: a row may have been renewed since, and rows of a composite key may share this column.
    await manager.query(`DELETE FROM ${table} WHERE ${isOld} AND "${key}" IN (${placeholders})`, [
      before,
      ...rows.map((row) => row.key),
    ]);
    return rows.length === BATCH_ROWS;
  },
});
