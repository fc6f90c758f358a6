/** Global set-up of the Jest project on SQLite. It creates a migrated database, which each core copies. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQLITE_FILE } from '../../platform/database/connection/sqlite';
import { createDatabase } from '../../platform/database/database';
import { COPIED_INSTALLATION_ID } from '../core';

export default async function migrateSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  const database = createDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, []);
  await database.open({ migrate: true });
  await database.concurrentWrite((manager) =>
    manager.query(`UPDATE installation SET "installationId" = '${COPIED_INSTALLATION_ID}'`),
  );
  // Closing the last connection writes the journal into the file.
  await database.close();
  process.env.TEST_MIGRATED_SQLITE = join(folder, SQLITE_FILE);
}
