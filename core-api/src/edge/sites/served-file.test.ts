import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileBody } from './file-body';
import { ServedFile } from './served-file';

const folder = mkdtempSync(join(tmpdir(), 'served-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an answer that began while no memory was left goes on when the file is loaded for another', async () => {
  const path = join(folder, 'a.txt');
  const content = Buffer.alloc(200_000, 'abcdefg');
  writeFileSync(path, content);
  const handle = await open(path);
  const { size, mtime } = await handle.stat();
  const memory = { left: 0 };
  const file = new ServedFile({ handle, path, size, modified: mtime }, memory);
  file.take();
  await file.load();
  const body = fileBody(file, [{ start: 0, end: size - 1 }]);
  if (!('next' in body)) throw new Error('no body that is read while it is sent');
  const pieces: Uint8Array[] = [(await body.next()) ?? Buffer.alloc(0)];
  memory.left = size;
  await file.load();
  for (let piece = await body.next(); piece; piece = await body.next()) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(content)).toBe(true);
  body.close();
  file.release();
});
