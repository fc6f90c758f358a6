import type { QueryRunner } from 'typeorm';

export interface TableShape {
  name: string;
  /** Names of the columns, sorted so that both sides of a copy have the same order. */
  columns: string[];
  /** Columns of the primary key, in the order of the key. */
  key: string[];
  /** Tables to which foreign keys of this table refer. */
  parents: string[];
}

/** Tables that are not copied. TypeORM itself fills `migrations` when it migrates the target of the copy. */
const NOT_COPIED = new Set(['migrations']);

export const isPostgres = ({ connection }: QueryRunner): boolean => connection.options.type === 'postgres';

const sqlite = {
  columns: `SELECT m.name AS "table", c.name AS "column", c.pk AS "keyPosition"
    FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`,
  parents: `SELECT DISTINCT m.name AS "table", f."table" AS parent
    FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`,
};
const postgres = {
  columns: `SELECT t.relname AS "table", a.attname AS "column",
      COALESCE(array_position(i.indkey::smallint[], a.attnum) + 1, 0) AS "keyPosition"
    FROM pg_class t
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
    WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace`,
  parents: `SELECT DISTINCT t.relname AS "table", p.relname AS parent
    FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
    WHERE f.contype = 'f' AND t.relnamespace = current_schema()::regnamespace`,
};

/** Returns every table except `migrations`. Each table comes after the tables that its foreign keys reference. */
export async function listTables(runner: QueryRunner): Promise<TableShape[]> {
  const queries = isPostgres(runner) ? postgres : sqlite;
  const columns: { table: string; column: string; keyPosition: number | string }[] = await runner.query(
    queries.columns,
  );
  const references: { table: string; parent: string }[] = await runner.query(queries.parents);
  const shapes = [...new Set(columns.map(({ table }) => table))]
    .filter((name) => !NOT_COPIED.has(name))
    .sort()
    .map((name): TableShape => {
      const tableColumns = columns.filter(({ table }) => table === name);
      const key = tableColumns.filter(({ keyPosition }) => Number(keyPosition) > 0);
      return {
        name,
        columns: tableColumns.map(({ column }) => column).sort(),
        key: key.sort((a, b) => Number(a.keyPosition) - Number(b.keyPosition)).map(({ column }) => column),
        parents: references.filter(({ table, parent }) => table === name && parent !== name).map((row) => row.parent),
      };
    });
  return sortParentsFirst(shapes);
}

function sortParentsFirst(shapes: readonly TableShape[]): TableShape[] {
  const sortedShapes: TableShape[] = [];
  const add = (shape: TableShape, referrers: readonly string[]): void => {
    if (sortedShapes.includes(shape)) return;
    if (referrers.includes(shape.name)) throw new Error(`${shape.name} is part of a cycle of foreign keys`);
    for (const parent of shapes) if (shape.parents.includes(parent.name)) add(parent, [...referrers, shape.name]);
    sortedShapes.push(shape);
  };
  for (const shape of shapes) add(shape, []);
  return sortedShapes;
}
