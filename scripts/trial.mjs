/** `npm run trial -- NAME [options]`: a trial takes minutes, root or several machines, so it is no part of `npm test`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkNode, fail } from './node.mjs';
import { coreBuilt } from './setup.mjs';

checkNode();
const folder = join(import.meta.dirname, 'trials');
const [, , name = '', ...options] = process.argv;
const file = join(folder, `${name}.mjs`);
if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) {
  /** The first sentence of a trial's head says what it tries. */
  const summary = (trial) =>
    /\/\*\*[\s*]*(.*)/.exec(readFileSync(join(folder, trial), 'utf8'))?.[1].replace(/ \*\/$/, '');
  const trials = existsSync(folder) ? readdirSync(folder).filter((trial) => trial.endsWith('.mjs')) : [];
  const lines = trials.map((trial) => `  ${trial.replace(/\.mjs$/, '').padEnd(14)} ${summary(trial)}`);
  fail(['Uso: npm run trial -- NOME [opções]', ...lines].join('\n'), name === '' ? 0 : 1);
}
await coreBuilt();
process.argv.splice(2, Number.POSITIVE_INFINITY, ...options);
await import(file);
