import type { RetentionRule } from './retention';

const BATCH_ROWS = 500;

interface AgeRuleOptions {
  table: string;
  /** A column of the primary key. */
  key: string;
  /** Column with the instant (ISO 8601) at which a row's age begins. */
  column: string;
  keepMs: number;
  /** Further SQL condition. */
  where?: string;
}

export const createAgeRule = ({ table, key, column, keepMs, where = 'TRUE' }: AgeRuleOptions): RetentionRule => ({
  table,
  async removeBatch(manager, now) {
    const isOldSql = `"${column}" < $1 AND ${where}`;
    const keptSince = new Date(now - keepMs).toISOString();
    const rows = await manager.query<{ key: string }[]>(
      `SELECT "${key}" AS key FROM ${table} WHERE ${isOldSql} LIMIT ${BATCH_ROWS}`,
      [keptSince],
    );
    if (rows.length === 0) return false;
    const placeholders = rows.map((_, index) => `$${index + 2}`).join(', ');
    // The age is checked again, because a row may have been renewed, and rows of a composite key may share `key`.
    await manager.query(`DELETE FROM ${table} WHERE ${isOldSql} AND "${key}" IN (${placeholders})`, [
      keptSince,
      ...rows.map((row) => row.key),
    ]);
    return rows.length === BATCH_ROWS;
  },
});
