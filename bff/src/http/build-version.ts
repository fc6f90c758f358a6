import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the release, or of the clone. */
const ROOT = join(__dirname, '../../..');

/** Version of this build: a release has a file with version and commit, a clone has the version of `package.json`. */
export function readBuildVersion(): string {
  const release = join(ROOT, 'VERSION');
  if (existsSync(release)) return readFileSync(release, 'utf8').trim();
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return version;
}
