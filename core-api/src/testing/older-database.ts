import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { migrations } from '../platform/database/migrations';
import type { Core } from './core';

/** Creates the tables of the build whose migrations end before `next`. The caller destroys the connection. */
export async function createOlderDatabase(
  { DATA_DIR, DATABASE_URL }: Core['database'],
  next: (typeof migrations)[number],
): Promise<DataSource> {
  const source = await new DataSource({
    ...(DATABASE_URL
      ? { type: 'postgres', url: DATABASE_URL }
      : { type: 'sqlite', database: join(DATA_DIR, 'studio.sqlite') }),
    migrations: migrations.slice(0, migrations.indexOf(next)),
  }).initialize();
  await source.runMigrations({ transaction: 'each' });
  return source;
}
