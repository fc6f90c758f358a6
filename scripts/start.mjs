/**
 * `npm start` installs, builds and runs the product. `--help` lists the variables; `--env-file FILE` reads variables from a
 * file.
 */
import { join } from 'node:path';
import { ensureBuilt, root } from './setup/setup.mjs';
import { readArguments, run } from './supervisor/run.mjs';

readArguments(join(root, 'README.md'));
const startedAt = Date.now();
await ensureBuilt();
await run(root, startedAt);
