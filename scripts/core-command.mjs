/** `npm run admin|seed -- …`: a program of the core, built first when needed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkNode } from './node.mjs';
import { coreBuilt, root } from './setup.mjs';

checkNode();
await coreBuilt();
const [program, ...args] = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [join(root, 'core-api/dist', `${program}.js`), ...args], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
