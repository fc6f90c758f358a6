import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource, type EntityMetadata, type TableColumn } from 'typeorm';
import { entities } from '../../../app/entities';
import { createPostgresDatabase } from '../../../testing/core';
import { migrations } from '../migrations';

/** The properties of a column that must be equal in entities and migrations. */
interface ColumnShape {
  type: string;
  length: string;
  nullable: boolean;
  primary: boolean;
}

const TYPE_NAMES: Record<string, string> = {
  'character varying': 'varchar',
  int: 'integer',
  number: 'integer',
  'simple-json': 'text',
  bool: 'boolean',
};
const normalizeType = (type: string) => TYPE_NAMES[type.toLowerCase()] ?? type.toLowerCase();

const getEntityShapes = ({ columns }: EntityMetadata): Record<string, ColumnShape> =>
  Object.fromEntries(
    columns.map(({ databaseName, type, length, isNullable, isPrimary }) => [
      databaseName,
      {
        type: normalizeType(typeof type === 'function' ? type.name : type),
        length: type === 'varchar' ? length : '',
        nullable: isNullable,
        primary: isPrimary,
      },
    ]),
  );

const getTableShapes = (columns: TableColumn[]): Record<string, ColumnShape> =>
  Object.fromEntries(
    columns.map(({ name, type, length, isNullable, isPrimary }) => [
      name,
      {
        type: normalizeType(type),
        length: normalizeType(type) === 'varchar' ? length : '',
        nullable: isNullable,
        primary: isPrimary,
      },
    ]),
  );

test('the migrations create exactly the tables of the entities', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'schema-'));
  const url = await createPostgresDatabase('schema_of_entities');
  const source = await new DataSource({
    ...(url ? { type: 'postgres', url } : { type: 'sqlite', database: join(folder, 'studio.sqlite') }),
    entities,
    migrations,
  }).initialize();
  await source.runMigrations({ transaction: 'each' });
  const runner = source.createQueryRunner();
  const entityTableNames = source.entityMetadatas.map(({ tableName }) => tableName).sort();
  const names: { name: string }[] = await runner.query(
    url
      ? `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
      : `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  );
  const createdTables = names.map(({ name }) => name).filter((name) => !/^(migrations|typeorm_metadata)$/.test(name));
  expect(createdTables.sort()).toEqual(entityTableNames);
  for (const metadata of source.entityMetadatas) {
    const table = await runner.getTable(metadata.tableName);
    expect([metadata.tableName, getTableShapes(table?.columns ?? [])]).toEqual([
      metadata.tableName,
      getEntityShapes(metadata),
    ]);
  }
  await source.destroy();
  rmSync(folder, { recursive: true });
});
