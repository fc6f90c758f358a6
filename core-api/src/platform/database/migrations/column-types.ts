import {
  type MigrationInterface,
  type QueryRunner,
  Table,
  type TableColumnOptions,
  TableIndex,
  type TableOptions,
} from 'typeorm';

/** Migrations have no `down`, because the way back is a restored backup (docs/upgrades.md). */
export type Migration = Pick<MigrationInterface, 'up'>;

// The following functions define columns with types that exist in SQLite and PostgreSQL.
export const text = (
  name: string,
  length: number,
  columnOptions: Partial<TableColumnOptions> = {},
): TableColumnOptions => ({ name, type: 'varchar', length: String(length), ...columnOptions });
export const integer = (name: string, columnOptions: Partial<TableColumnOptions> = {}): TableColumnOptions => ({
  name,
  type: 'integer',
  ...columnOptions,
});
export const counter = (name: string): TableColumnOptions => ({ name, type: 'bigint', default: 0 });
export const longText = (name: string, columnOptions: Partial<TableColumnOptions> = {}): TableColumnOptions => ({
  name,
  type: 'text',
  ...columnOptions,
});
export const id = (name = '_id'): TableColumnOptions => text(name, 36, { isPrimary: true });
export const nullable = { isNullable: true } as const;
/** Returns a foreign key whose rows are deleted with the referenced row. */
export const cascade = (column: string, table: string, key = '_id') => ({
  columnNames: [column],
  referencedTableName: table,
  referencedColumnNames: [key],
  onDelete: 'CASCADE',
});

/** Creates a table with its indexes. */
export async function createTable(runner: QueryRunner, { indices = [], ...table }: TableOptions): Promise<void> {
  await runner.createTable(new Table(table));
  for (const index of indices) await runner.createIndex(table.name, new TableIndex(index));
}
