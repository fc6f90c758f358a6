import type { EntityManager } from 'typeorm';

const PAGE_ROWS = 1_000;

interface Table {
  table: string;
  /** SQL expressions of the selected columns, including `key`. */
  columns: string;
  /** SQL condition of the rows. Its parameters are $2, $3, …, because $1 is the key of the previous row. */
  where: string;
  values?: readonly unknown[];
  /** A unique column. The rows are read in its order. */
  key?: string;
}

/**
 * Yields the rows of a long table in pages, so that neither other queries nor the event loop wait for the whole table.
 * A row that changes meanwhile is returned with its old or its new values.
 */
export async function* readTablePages<Row>(
  manager: EntityManager,
  { table, columns, where, values = [], key = '_id' }: Table,
): AsyncGenerator<Row[]> {
  const sql = `SELECT ${columns} FROM ${table} WHERE ${key} > $1 AND (${where}) ORDER BY ${key} LIMIT ${PAGE_ROWS}`;
  for (let lastKey = ''; ; ) {
    const rows = await manager.query<(Row & Record<string, string>)[]>(sql, [lastKey, ...values]);
    yield rows;
    const lastRow = rows.at(-1);
    if (!lastRow || rows.length < PAGE_ROWS) return;
    lastKey = lastRow[key] ?? '';
  }
}

export async function readAllRows<Row>(manager: EntityManager, table: Table): Promise<Row[]> {
  const allRows: Row[] = [];
  for await (const rows of readTablePages<Row>(manager, table)) for (const row of rows) allRows.push(row);
  return allRows;
}
