import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../testing/program';

/** Runs the check on a repository whose only module has this source. */
function check(source: string): { status: number | null; stdout: string } {
  const folder = mkdtempSync(join(tmpdir(), 'references-'));
  try {
    for (const path of ['docs', 'web/src', 'bff/src', 'core-api/src'])
      mkdirSync(join(folder, path), { recursive: true });
    for (const name of ['contract', 'product']) writeFileSync(join(folder, `docs/${name}.md`), '');
    writeFileSync(join(folder, 'web/src/file.ts'), source);
    spawnSync('git', ['init', '--quiet'], { cwd: folder });
    const script = join(ROOT, 'scripts/checks/references.mjs');
    const { status, stdout } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
    return { status, stdout };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a docstring that names a missing parameter is reported with its line', () => {
  const source =
    '/**\n * Adds.\n * @param first a number\n * @param third a number\n */\nconst add = (first, second) => 0;\n';
  expect(check(source)).toEqual({ status: 1, stdout: 'web/src/file.ts:4: parameter third does not exist\n' });
});

test('a comment that refers to a missing decision is reported with its line', () => {
  expect(check('export {}; // Fields are flat (decision 107).\n// docs/decisions/108\n')).toEqual({
    status: 1,
    stdout: 'web/src/file.ts:1: decision 107 does not exist\nweb/src/file.ts:2: decisions/108 does not exist\n',
  });
});

test('a docstring may name a parameter, a destructured property, and a property of the type of a parameter', () => {
  const source =
    '/** @param first x @param second x @param third x */\n' +
    'function add(first: number, { second }: Numbers, others: { third: number }) {}\n';
  expect(check(source)).toEqual({ status: 0, stdout: '' });
});

test('a docstring may give a destructured parameter any name if the docstring declares a type', () => {
  const toSource = (type: string) => `/** @param ${type}numbers x */\nconst add = ({ first }) => first;\n`;
  expect(check(toSource('{{ first: number }} '))).toEqual({ status: 0, stdout: '' });
  expect(check(toSource(''))).toEqual({ status: 1, stdout: 'web/src/file.ts:1: parameter numbers does not exist\n' });
});
