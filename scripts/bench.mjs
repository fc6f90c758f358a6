/**
 * `npm run bench -- rest|gateway|soak|web|console [options]` runs a benchmark. The head of each benchmark's file describes
 * its measurements and options.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './setup/run-program.mjs';
import { ensureCoreBuilt } from './setup/setup.mjs';
import { checkNode, fail } from './supervisor/node.mjs';

checkNode();
const [, , name = '', ...options] = process.argv;
const file = join(import.meta.dirname, 'bench', `${name}.mjs`);
if (!['rest', 'gateway', 'soak', 'web', 'console'].includes(name) || !existsSync(file)) {
  fail('Uso: npm run bench -- rest|gateway|soak|web|console [opções]');
}
await ensureCoreBuilt();
runProgram(file, options);
