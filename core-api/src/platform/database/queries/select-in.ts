import type { EntityManager } from 'typeorm';

interface Selection {
  table: string;
  /** SQL expressions of the columns that are read. */
  columns: string;
  column: string;
  values: readonly string[];
  /** Further SQL condition. */
  where?: string;
}

/**
 * Returns the rows whose `column` has one of the `values`, in any order. TypeORM's query builder is not used: it takes
 * time quadratic in the number of values, which exceeds the time of the query itself. The rows are as the driver
 * returns them: SQLite's booleans are numbers.
 */
export async function selectIn<Row>(
  manager: EntityManager,
  { table, columns, column, values, where = 'true' }: Selection,
): Promise<Row[]> {
  if (values.length === 0) return [];
  const placeholders = values.map((_value, index) => `$${index + 1}`).join(', ');
  return manager.query<Row[]>(`SELECT ${columns} FROM ${table} WHERE ${column} IN (${placeholders}) AND (${where})`, [
    ...values,
  ]);
}
