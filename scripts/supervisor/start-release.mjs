/** `node start.mjs` runs a release. `--help` lists the variables; `--env-file FILE` reads variables from a file. */
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from './node.mjs';
import { EX_CONFIG, readArguments, run } from './run.mjs';

// `import.meta.dirname` does not exist in the old versions of Node that this program must refuse with a message.
const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
readArguments(join(root, 'INSTALL.md'));
const data = process.env.DATA_DIR;
if (!data || !relative(root, resolve(root, data)).startsWith('..')) {
  fail(`DATA_DIR: diga a pasta dos dados, fora de ${root}`, EX_CONFIG);
}
await run(root, Date.now());
