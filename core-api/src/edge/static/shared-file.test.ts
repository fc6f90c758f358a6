import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileBody } from './file-body';
import { SharedFile } from './shared-file';

const folder = mkdtempSync(join(tmpdir(), 'shared-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a response that streams a file continues after another response has loaded the file into memory', async () => {
  const path = join(folder, 'a.txt');
  const content = Buffer.alloc(200_000, 'abcdefg');
  writeFileSync(path, content);
  const handle = await open(path);
  const { size, mtime } = await handle.stat();
  const memory = { remainingBytes: 0 };
  const file = new SharedFile({ handle, path, size, modified: mtime }, memory);
  file.retain();
  await file.load();
  const body = createFileBody(file, [{ start: 0, end: size - 1 }]);
  if (!('next' in body)) throw new Error('the body is not streamed');
  const pieces: Uint8Array[] = [(await body.next()) ?? Buffer.alloc(0)];
  memory.remainingBytes = size;
  await file.load();
  for (let piece = await body.next(); piece; piece = await body.next()) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(content)).toBe(true);
  body.close();
  file.release();
});
