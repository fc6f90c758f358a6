/** Removes the folder that `migrate-sqlite.ts` created. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

export default function removeSqlite(): void {
  const file = process.env.TEST_MIGRATED_SQLITE;
  if (file) rmSync(dirname(file), { recursive: true });
}
