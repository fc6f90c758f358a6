import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigurationError } from '../config';
import { installationMessages as messages } from './installation.messages';

/** Files by which an installation is recognized in `DATA_DIR`, with their minimum size in bytes. */
const TRACES: Record<string, number> = { 'jwt.secret': 32, 'settings.key': 32, 'edge/snapshot.json': 1 };

/** Size in bytes; 0 for no file, and for a file in a folder of another user, such as the edge's own. */
function fileSize(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return 0;
    throw error;
  }
}

/**
 * Refuses to install into an empty database while `DATA_DIR` belongs to an installation: its database exists elsewhere,
 * and the edge would replace all its sites by none.
 * @throws ConfigurationError naming the file
 */
export function refuseOtherInstallation({ DATA_DIR, DATABASE_URL }: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>): void {
  const isTrace = ([file, bytes]: [string, number]) => fileSize(join(DATA_DIR, file)) >= bytes;
  const [trace] = Object.entries(TRACES).find(isTrace) ?? [];
  if (trace === undefined) return;
  const variable = DATABASE_URL ? 'DATABASE_URL' : 'DATA_DIR';
  throw new ConfigurationError([messages.emptyDatabase(variable, join(DATA_DIR, trace))]);
}
