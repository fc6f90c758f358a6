/**
 * `npm run system-test -- NAME [options]` runs a system test: a test that takes minutes, or needs root or several machines.
 * `npm test` does not run system tests.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './setup/run-program.mjs';
import { ensureCoreBuilt } from './setup/setup.mjs';
import { checkNode, fail } from './supervisor/node.mjs';

checkNode();
const folder = join(import.meta.dirname, 'system-tests');
const [, , name = '', ...options] = process.argv;
const file = join(folder, `${name}.mjs`);
if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) {
  /** Returns the first sentence of the comment at the head of a test. */
  const readSummary = (test) => {
    const [, comment = ''] = /\/\*\*([\s\S]*?)\*\//.exec(readFileSync(join(folder, test), 'utf8')) ?? [];
    return comment
      .replaceAll(/\s+(?:\* )?/g, ' ')
      .trim()
      .split(/(?<=\.) /, 1)[0];
  };
  const tests = existsSync(folder) ? readdirSync(folder).filter((test) => test.endsWith('.mjs')) : [];
  const lines = tests.map((test) => `  ${test.replace(/\.mjs$/, '').padEnd(14)} ${readSummary(test)}`);
  fail(['Uso: npm run system-test -- NOME [opções]', ...lines].join('\n'), name === '' ? 0 : 1);
}
await ensureCoreBuilt();
runProgram(file, options);
