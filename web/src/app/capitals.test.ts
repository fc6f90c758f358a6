import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '..');
/** Matches `Nova Rota` and `Repita a Nova Senha`, but neither `Baixar CSV` nor a sentence that contains a name. */
const TITLE_CASE = /^[A-ZÀ-Ú][\wà-ú]*( [a-zà-ú]{1,3}| [A-ZÀ-Ú][\wà-ú]*)* [A-ZÀ-Ú][a-zà-ú]+$/;
const BRANDS = /WhatsApp|Telegram/;

test('each text in title case is quoted from product.md or contract.md', () => {
  const documents = ['product', 'contract']
    .map((name) => readFileSync(join(SOURCES, `../../docs/${name}.md`), 'utf8'))
    .join();
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.messages.ts'),
  );
  const unquoted = files.flatMap((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/'([^'\n]+)'/g)]
      .map(([, text = '']) => text)
      .filter((text) => TITLE_CASE.test(text) && !BRANDS.test(text) && !documents.includes(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(unquoted).toEqual([]);
});
