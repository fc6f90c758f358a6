import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = `
import { withProgress } from './scripts/setup/progress.mjs';
let callCount = 0;
let end;
const work = () => new Promise((resolve) => { end = resolve; });
const detail = () => { callCount += 1; if (callCount === 2) end(); return callCount + ' de 9 pacotes'; };
await withProgress('Instalando os pacotes', work, { detail, everyMs: 1 });
`;

test('a long step prints its progress repeatedly', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: join(__dirname, '../..'),
    encoding: 'utf8',
  });
  expect(output.split('\n').slice(0, 3)).toEqual([
    'Instalando os pacotes …',
    expect.stringMatching(/^Instalando os pacotes … \d+ s, 1 de 9 pacotes$/),
    expect.stringMatching(/^Instalando os pacotes … \d+ s, 2 de 9 pacotes$/),
  ]);
});

test('the progress of an installation counts the packages that this system needs, and then names the next step', () => {
  const folder = mkdtempSync(join(tmpdir(), 'progress-'));
  const packages = {
    '': {},
    'node_modules/unpacked': {},
    'node_modules/empty-folder': {},
    'node_modules/of-another-system': { optional: true },
  };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  for (const name of ['unpacked', 'empty-folder']) mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  writeFileSync(join(folder, 'node_modules/unpacked/package.json'), '{}');
  const program = `
    import { describeProgress } from './scripts/setup/setup.mjs';
    console.log(describeProgress(process.argv[1]));
  `;
  const readProgress = () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', program, folder], {
      cwd: join(__dirname, '../..'),
      encoding: 'utf8',
    });
  expect(readProgress()).toBe('1 de 2 pacotes\n');
  writeFileSync(join(folder, 'node_modules/empty-folder/package.json'), '{}');
  expect(readProgress()).toBe('2 de 2 pacotes, preparando o SQLite\n');
  rmSync(folder, { recursive: true });
});
