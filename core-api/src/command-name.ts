import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A release has no npm: its commands are files beside this one. */
const isRelease = existsSync(join(__dirname, '../../VERSION'));

/** How a command is called here: `npm run admin --` in a clone, `node admin.mjs` in a release. */
export const commandName = (name: 'admin' | 'backup' | 'restore' | 'move'): string =>
  isRelease ? `node ${name}.mjs` : `npm run ${name} --`;
