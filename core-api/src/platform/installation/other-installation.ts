import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../config/config';
import { getErrorCode } from '../errors/error-details';
import { installationMessages as messages } from './installation.messages';

/** Files in `DATA_DIR` that prove an installation, with their minimum size in bytes. */
const INSTALLATION_FILES: Record<string, number> = { 'jwt.secret': 32, 'settings.key': 32, 'edge/snapshot.json': 1 };

/** Returns the size in bytes, or 0 if the file is missing or in a folder of another user, such as the edge's folder. */
function getFileSize(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(getErrorCode(error))) return 0;
    throw error;
  }
}

/**
 * Refuses to install into an empty database while `DATA_DIR` belongs to an installation whose database is elsewhere.
 * Otherwise the edge would remove all sites of that installation.
 * @throws ConfigError with the file's name
 */
export function refuseOtherInstallation({ DATA_DIR, DATABASE_URL }: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>): void {
  const provesInstallation = ([file, bytes]: [string, number]) => getFileSize(join(DATA_DIR, file)) >= bytes;
  const [file] = Object.entries(INSTALLATION_FILES).find(provesInstallation) ?? [];
  if (file === undefined) return;
  const variable = DATABASE_URL ? 'DATABASE_URL' : 'DATA_DIR';
  throw new ConfigError([messages.emptyDatabase(variable, join(DATA_DIR, file))]);
}
