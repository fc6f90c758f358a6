import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A release has no npm, so its commands are files in its root folder. */
const isRelease = existsSync(join(__dirname, '../../../../VERSION'));

/** Returns the command line of a command, such as `npm run admin --` in a clone and `node admin.mjs` in a release. */
export const getCommandLine = (name: 'admin' | 'backup' | 'restore' | 'move'): string =>
  isRelease ? `node ${name}.mjs` : `npm run ${name} --`;
