import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { variables as bff } from '../../bff/src/config';
import { variables as core } from '../../core-api/src/config';

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
const documented = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);

test('the README lists every variable that a process reads, and no other', () => {
  const read = new Set([...Object.keys(core.shape), ...Object.keys(bff.shape)]);
  expect(documented.sort()).toEqual([...read].sort());
});
