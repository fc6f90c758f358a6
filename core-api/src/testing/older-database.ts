import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { migrations } from '../platform/database/migrations';
import type { Core } from './core';

/** Runs only the migrations before `firstMissing`, like an older build. The caller must destroy the connection. */
export async function createOlderDatabase(
  { DATA_DIR, DATABASE_URL }: Core['database'],
  firstMissing: (typeof migrations)[number],
): Promise<DataSource> {
  const connection = await new DataSource({
    ...(DATABASE_URL
      ? { type: 'postgres', url: DATABASE_URL }
      : { type: 'sqlite', database: join(DATA_DIR, 'studio.sqlite') }),
    migrations: migrations.slice(0, migrations.indexOf(firstMissing)),
  }).initialize();
  await connection.runMigrations({ transaction: 'each' });
  return connection;
}
