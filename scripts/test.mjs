/** `npm test [-- jest arguments]` installs the programs that tests need, builds the product, and runs all tests. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireChromium } from './setup/chromium.mjs';
import { requireNginx } from './setup/debian-packages.mjs';
import { ensureBuilt, root } from './setup/setup.mjs';
import { checkNode } from './supervisor/node.mjs';

checkNode();
const CHROMIUM_PATH = requireChromium();
requireNginx();
await ensureBuilt();

const folder = mkdtempSync(join(tmpdir(), 'studio-tests-'));
const results = join(folder, 'results.json');
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/jest/bin/jest.js'),
    '--json',
    `--outputFile=${results}`,
    '--silent',
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    // The JSON report is written to a file. Jest's readable output uses the standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, CHROMIUM_PATH, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --no-warnings`.trim() },
  },
);
let failed = 1;
let passed = 0;
try {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(
    readFileSync(results, 'utf8'),
  );
  for (const { assertionResults } of testResults)
    for (const { fullName, status: result, invocations } of assertionResults)
      if (result === 'passed' && invocations > 1) process.stdout.write(`passed at the second try: ${fullName}\n`);
  passed = numPassedTests;
  failed = numFailedTests + numRuntimeErrorTestSuites;
} catch (error) {
  process.stderr.write(`Jest has written no report: ${error}\n`);
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(status === 0 && failed === 0 && passed > 0 ? 0 : 1);
