/** `npm run check` runs every static check, and continues after a failed check. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureCoreBuilt, ensureInstalled, root } from './setup/setup.mjs';
import { checkNode } from './supervisor/node.mjs';

checkNode();
await ensureInstalled();
/** Returns the command that runs a program of an installed package. @returns {[string, string[]]} */
const toCommand = (name, ...args) => [join(root, 'node_modules/.bin', name), args];

/** @type {Record<string, [command: string, args: string[]]>} */
const checks = {
  'generated code': ['npm', ['run', 'codegen', '--silent']],
  'format and lint': toCommand('biome', 'ci', '--colors=off', '--diagnostic-level=error', '.'),
  'types of core-api': toCommand('tsc', '-p', 'core-api', '--noEmit'),
  'types of bff': toCommand('tsc', '-p', 'bff', '--noEmit'),
  'types of scripts': toCommand('tsc', '-p', 'scripts'),
  'types of web': toCommand('tsc', '-p', 'web', '--noEmit'),
  'import boundaries': toCommand(
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    'web/src',
    'bff/src',
    'core-api/src',
  ),
  'unused code': toCommand('knip', '--no-progress'),
  'table of variables in the README': [process.execPath, [join(root, 'scripts/codegen/write-configuration.mjs')]],
  references: [process.execPath, [join(root, 'scripts/checks/references.mjs')]],
  'index of decisions': [process.execPath, [join(root, 'scripts/checks/decisions.mjs')]],
  'texts outside of markup': [process.execPath, [join(root, 'scripts/checks/inline-texts.mjs')]],
};

let failureCount = 0;
function check(name, [command, args]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  const hasPassed = status === 0;
  process.stdout.write(`${hasPassed ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (hasPassed) return;
  failureCount += 1;
  process.stdout.write(`${stdout}${stderr}\n`);
}
for (const [name, command] of Object.entries(checks)) check(name, command);

await ensureCoreBuilt();
// Some programs import files that the core's build writes.
check('types of programs', toCommand('tsc', '-p', 'scripts/tsconfig.programs.json'));
check('committed REST contract', [process.execPath, [join(root, 'core-api/dist/bin/write-openapi.js')]]);
check('REST contract as generated', ['git', ['diff', '--exit-code', '--stat', '--', 'core-api/openapi.json']]);
process.exit(failureCount === 0 ? 0 : 1);
