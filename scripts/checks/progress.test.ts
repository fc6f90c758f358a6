import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = `
import { withProgress } from './scripts/progress.mjs';
let told = 0;
let end;
const work = () => new Promise((resolve) => { end = resolve; });
const detail = () => { told += 1; if (told === 2) end(); return told + ' de 9 pacotes'; };
await withProgress('Instalando os pacotes', work, { detail, everyMs: 1 });
`;

test('a long step prints its progress repeatedly', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: join(__dirname, '../..'),
    encoding: 'utf8',
  });
  expect(output.split('\n').slice(0, 3)).toEqual([
    'Instalando os pacotes …',
    'Instalando os pacotes … 0 s, 1 de 9 pacotes',
    'Instalando os pacotes … 0 s, 2 de 9 pacotes',
  ]);
});
