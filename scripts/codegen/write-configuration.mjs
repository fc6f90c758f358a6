/**
 * Writes the README's table of variables from the descriptions in the configuration of core and BFF. Exits with 1 if the
 * table was outdated, so that the check reports the change.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../setup/setup.mjs';

const require = createRequire(import.meta.url);
require('esbuild-register');
// The schemas were made by the core's copy of zod, so the same copy must read them.
const { z } = createRequire(join(root, 'core-api/package.json'))('zod');
const { variables: core } = require('../../core-api/src/platform/config/config.ts');
const { variables: bff } = require('../../bff/src/config.ts');

const toProperties = (variables) => z.toJSONSchema(variables, { io: 'input', unrepresentable: 'any' }).properties;
const rows = Object.entries({ ...toProperties(bff), ...toProperties(core) }).map(([name, property]) => {
  const [, purpose, unset = 'none'] = /^(.*?)(?:; ([^;]*) when unset)?$/.exec(property.description ?? '') ?? [];
  const defaultValue = property.default ? `\`${property.default}\`` : unset;
  return { name, row: `| \`${name}\` | ${defaultValue} | ${purpose} |` };
});
// The core's configuration has most variables, so its order is the order of the table.
const order = [...Object.keys(core.shape), ...Object.keys(bff.shape)];
rows.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
const table = ['| variable | default | purpose |', '|---|---|---|', ...rows.map(({ row }) => row)].join('\n');

const file = join(root, 'README.md');
const readme = readFileSync(file, 'utf8');
const updatedReadme = readme.replace(/\| variable \| default \|[\s\S]*?\n(?=\n|$)/, () => `${table}\n`);
if (updatedReadme !== readme) {
  writeFileSync(file, updatedReadme);
  process.stdout.write('README.md: the table of variables was not current and is written anew; commit it\n');
  process.exit(1);
}
