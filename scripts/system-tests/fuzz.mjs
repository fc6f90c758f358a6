/**
 * Compares the edge's readers with Node's parser on a million generated requests and responses. Argument: another number of
 * messages.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../setup/setup.mjs';

const cases = Number(process.argv[2] ?? 1_000_000);
const differential = join(root, 'core-api/src/edge/engine/testing/differential.ts');
const program = `
const { compareReaders } = require(${JSON.stringify(differential)});
for (const kind of ['request', 'response']) {
  let accepted = 0;
  for (let seed = 1; seed <= ${cases / 2}; seed += 10_000) {
    const result = compareReaders(kind, 10_000, seed);
    accepted += result.acceptedCount;
    if (result.differences.length > 0) {
      console.log(JSON.stringify(result.differences, null, 1));
      process.exit(1);
    }
  }
  console.log(kind + ': ' + ${cases / 2} + ' cases, ' + accepted + ' with a message that was accepted, no difference');
}`;
const { status } = spawnSync(process.execPath, ['--require', 'esbuild-register', '--eval', program], {
  cwd: join(root, 'core-api'),
  stdio: 'inherit',
});
process.exit(status ?? 1);
