import type { QueryRunner } from 'typeorm';
import { applyMigrations, inTransaction } from './connections';
import { isPostgres, listTables, type TableShape } from './tables';

type Row = Record<string, string | number | boolean | null | Buffer>;

const PAGE_ROWS = 1_000;
/** SQLite allows 32,766 parameters in one statement. */
const MAX_PARAMETERS = 30_000;

const quoteName = (name: string) => `"${name}"`;
const quoteNames = (names: readonly string[]) => names.map(quoteName).join(', ');

/** Yields rows in pages, in the order of their key, so that memory is bounded. */
async function* readPages(runner: QueryRunner, { name, columns, key }: TableShape): AsyncGenerator<Row[]> {
  if (key.length === 0) throw new Error(`${name} has no primary key`);
  const afterLastKey = `WHERE (${quoteNames(key)}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})`;
  let lastKey: Row[string][] | undefined;
  for (;;) {
    const condition = lastKey ? afterLastKey : '';
    const page: Row[] = await runner.query(
      `SELECT ${quoteNames(columns)} FROM ${quoteName(name)} ${condition} ORDER BY ${quoteNames(key)} LIMIT ${PAGE_ROWS}`,
      lastKey,
    );
    if (page.length > 0) yield page;
    const lastRow = page.at(-1);
    if (!lastRow || page.length < PAGE_ROWS) return;
    lastKey = key.map((column) => lastRow[column] ?? null);
  }
}

/** Replaces NUL, which PostgreSQL's text cannot hold, and writes bytes in hexadecimal, because JSON has no bytes. */
function toPostgresValue(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
}

async function insertIntoPostgres(runner: QueryRunner, { name, columns }: TableShape, rows: Row[]): Promise<void> {
  const convertedRows = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toPostgresValue(value)])),
  );
  await runner.query(
    `INSERT INTO ${quoteName(name)} (${quoteNames(columns)})
     SELECT ${quoteNames(columns)} FROM json_populate_recordset(NULL::${quoteName(name)}, $1::json)`,
    [JSON.stringify(convertedRows)],
  );
}

async function insertIntoSqlite(runner: QueryRunner, { name, columns }: TableShape, rows: Row[]): Promise<void> {
  const batchRows = Math.floor(MAX_PARAMETERS / columns.length);
  const placeholders = `(${columns.map(() => '?').join(', ')})`;
  for (let start = 0; start < rows.length; start += batchRows) {
    const batch = rows.slice(start, start + batchRows);
    await runner.query(
      `INSERT INTO ${quoteName(name)} (${quoteNames(columns)}) VALUES ${batch.map(() => placeholders).join(', ')}`,
      batch.flatMap((row) => columns.map((column) => row[column])),
    );
  }
}

export async function countRows(runner: QueryRunner, table: string): Promise<number> {
  const [row]: { count: number | string }[] = await runner.query(`SELECT COUNT(*) AS count FROM ${quoteName(table)}`);
  return Number(row?.count);
}

/** Sets the sequences of a table, so that each continues after the highest copied value. */
async function continueSequences(runner: QueryRunner, { name, columns }: TableShape): Promise<void> {
  for (const column of columns) {
    const [row]: { sequence: string | null }[] = await runner.query(
      'SELECT pg_get_serial_sequence($1, $2) AS sequence',
      [quoteName(name), column],
    );
    if (!row?.sequence) continue;
    await runner.query(
      `SELECT setval($1, COALESCE((SELECT MAX(${quoteName(column)}) FROM ${quoteName(name)}), 0) + 1, false)`,
      [row.sequence],
    );
  }
}

/**
 * Copies all rows of all tables between two schemas with the same migrations, and compares the counts. Both runners
 * must be in a transaction.
 * @param excluded tables whose rows are not copied
 * @returns rows per table
 * @throws if the schemas or the counts differ
 */
export async function copyRows(
  from: QueryRunner,
  to: QueryRunner,
  excluded: readonly string[] = [],
): Promise<Map<string, number>> {
  const shapes = await listTables(to);
  const sourceShapes = new Map((await listTables(from)).map((shape) => [shape.name, shape]));
  // Rows that migrations inserted would conflict with their copies. In reverse order, children are deleted first.
  for (const { name } of [...shapes].reverse()) await to.query(`DELETE FROM ${quoteName(name)}`);
  const insert = isPostgres(to) ? insertIntoPostgres : insertIntoSqlite;
  const rowCounts = new Map<string, number>();
  for (const shape of shapes) {
    if (sourceShapes.get(shape.name)?.columns.join() !== shape.columns.join()) throw new Error(`${shape.name} differs`);
    if (excluded.includes(shape.name)) continue;
    for await (const rows of readPages(from, shape)) await insert(to, shape, rows);
    if (isPostgres(to)) await continueSequences(to, shape);
    const [expected, actual] = [await countRows(from, shape.name), await countRows(to, shape.name)];
    if (expected !== actual) throw new Error(`${shape.name}: ${actual} of ${expected} rows copied`);
    rowCounts.set(shape.name, actual);
  }
  return rowCounts;
}

/** Applies the migrations to the empty database `to` and copies all rows into it, in one transaction. */
export const migrateAndCopyRows = (from: QueryRunner, to: QueryRunner, excluded?: readonly string[]) =>
  inTransaction(to, 'BEGIN', async () => {
    await applyMigrations(to);
    return copyRows(from, to, excluded);
  });
