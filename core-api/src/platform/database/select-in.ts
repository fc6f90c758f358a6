import type { EntityManager } from 'typeorm';

interface Selection {
  table: string;
  /** SQL expressions of the columns that are read. */
  columns: string;
  /** The column that has one of the values. */
  column: string;
  values: readonly string[];
  /** Further SQL condition. */
  where?: string;
}

/**
 * Rows with one of these values in a column, in any order. Plain SQL, because TypeORM's query builder takes longer than the
 * query, and a time that grows with the square of the number of values. So SQLite's booleans are numbers.
 */
export async function selectIn<Row>(
  manager: EntityManager,
  { table, columns, column, values, where = 'true' }: Selection,
): Promise<Row[]> {
  if (values.length === 0) return [];
  const places = values.map((_value, index) => `$${index + 1}`).join(', ');
  return manager.query<Row[]>(`SELECT ${columns} FROM ${table} WHERE ${column} IN (${places}) AND (${where})`, [
    ...values,
  ]);
}
