import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the release, or of the clone. */
const ROOT = join(__dirname, '../../..');

/** Reads the version of this build, from the release's `VERSION` file or else from `package.json`. */
export function readBuildVersion(): string {
  const release = join(ROOT, 'VERSION');
  if (existsSync(release)) return readFileSync(release, 'utf8').trim();
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return version;
}
