/** `npm run admin|backup|restore|move|seed -- …` runs a program of the core. It builds the core first if it changed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureCoreBuilt, root } from './setup/setup.mjs';
import { checkNode } from './supervisor/node.mjs';

checkNode();
await ensureCoreBuilt();
const [program, ...args] = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [join(root, 'core-api/dist/bin', `${program}.js`), ...args], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
