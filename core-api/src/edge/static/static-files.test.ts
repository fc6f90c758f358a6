import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import type { LocalReply } from '../engine/types';
import type { FileReply } from './file-reply';
import { StaticFiles } from './static-files';

let rootFolder: string;
let folder: string;
let site: string;
let files: StaticFiles;

const replaceFile = (name: string, content: string | Buffer) => {
  const path = join(site, name);
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
};
const createFields = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value, line: `${name}: ${value}\r\n`, isForwarded: true }));
const serve = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
  files.serve({ method, target, fields: createFields(headers) }, { folder: site, spaFallback: true });

async function readBody(fileReply: FileReply): Promise<string | number> {
  if (typeof fileReply === 'number') return fileReply;
  const { body = '' } = fileReply;
  if (typeof body === 'string') return body;
  if (!('next' in body)) return Buffer.from(body).toString();
  const pieces: Uint8Array[] = [];
  for (let piece = await body.next(); piece; piece = await body.next()) pieces.push(piece);
  body.close();
  return Buffer.concat(pieces).toString();
}
const get = async (target: string, headers?: Record<string, string>) => readBody(await serve(target, headers));
const getBodyLength = (fileReply: FileReply) =>
  typeof fileReply === 'object' && typeof fileReply.body === 'object' ? fileReply.body.length : undefined;
const getBodyStream = (fileReply: FileReply) => {
  const body: LocalReply['body'] = typeof fileReply === 'object' ? fileReply.body : undefined;
  if (typeof body !== 'object' || !('next' in body)) throw new Error('the body is not a stream');
  return body;
};

/** Returns the files below the test folder that this process holds open. */
function listOpenFiles(): string[] {
  const openFiles: string[] = [];
  for (const descriptor of readdirSync('/proc/self/fd')) {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      if (path.startsWith(rootFolder)) openFiles.push(path);
    } catch {
      // The descriptor with which `readdirSync` listed the folder is closed by now.
    }
  }
  return openFiles;
}
const waitForClosedFiles = () => waitFor('every handle is closed', async () => listOpenFiles().length === 0);

beforeAll(() => {
  rootFolder = realpathSync(mkdtempSync(join(tmpdir(), 'static-files-')));
});
beforeEach(() => {
  folder = mkdtempSync(join(rootFolder, 'of-'));
  site = join(folder, 'site');
  mkdirSync(site);
  files = new StaticFiles((real) => real.startsWith(folder));
});
afterAll(async () => {
  await waitForClosedFiles();
  rmSync(rootFolder, { recursive: true, force: true });
});

test('a second request is answered from the cache with the same response', async () => {
  replaceFile('a.txt', 'first');
  expect(await get('/a.txt')).toBe('first');
  // The cache is valid for a second, which may pass between the two requests.
  const secondReply = await waitFor('a synchronous response', async () => {
    await serve('/a.txt');
    const reply = serve('/a.txt');
    return reply instanceof Promise ? undefined : { reply };
  });
  expect(await readBody(secondReply.reply)).toBe('first');
});

test('a replaced file is served after a second with its new ETag', async () => {
  replaceFile('a.txt', 'first');
  const replyBefore = await serve('/a.txt');
  replaceFile('a.txt', 'second!');
  await waitFor('the new file is served', async () => (await get('/a.txt')) === 'second!');
  const replyAfter = await serve('/a.txt');
  expect(
    typeof replyAfter === 'object' &&
      typeof replyBefore === 'object' &&
      replyAfter.headerLines !== replyBefore.headerLines,
  ).toBe(true);
});

test('a new file is served immediately, and a removed file for at most a second', async () => {
  expect(await get('/a.txt')).toBe(404);
  replaceFile('a.txt', 'here');
  expect(await get('/a.txt')).toBe('here');
  rmSync(join(site, 'a.txt'));
  await waitFor('the file is gone', async () => (await get('/a.txt')) === 404);
});

test('a symbolic link that is changed to lead out of the folder is refused after a second', async () => {
  writeFileSync(join(folder, 'secret.txt'), 'SECRET');
  replaceFile('a.txt', 'open');
  symlinkSync('a.txt', join(site, 'link.txt'));
  expect(await get('/link.txt')).toBe('open');
  symlinkSync(join(folder, 'secret.txt'), join(site, 'link.new'));
  renameSync(join(site, 'link.new'), join(site, 'link.txt'));
  const receivedBodies = new Set<string | number>();
  await waitFor('the link is refused', async () => {
    const text = await get('/link.txt');
    receivedBodies.add(text);
    return text === 404;
  });
  expect([...receivedBodies].filter((text) => text !== 404 && text !== 'open')).toEqual([]);
});

test('all files of a site change together when the symbolic link to the folder of the site changes', async () => {
  for (const release of ['1', '2']) {
    mkdirSync(join(folder, release));
    for (const name of ['a', 'b']) writeFileSync(join(folder, release, name), release);
  }
  site = join(folder, 'current');
  symlinkSync('1', site);
  expect([await get('/a'), await get('/b')]).toEqual(['1', '1']);
  symlinkSync('2', join(folder, 'next'));
  renameSync(join(folder, 'next'), site);
  await waitFor('the new release is served', async () => (await get('/a')) === '2');
  expect(await get('/b')).toBe('2');
});

test('a precompressed copy is served once it exists, and the file itself after the copy was removed', async () => {
  replaceFile('a.css', 'plain');
  const acceptsGzip = { 'accept-encoding': 'gzip' };
  expect(await get('/a.css', acceptsGzip)).toBe('plain');
  replaceFile('a.css.gz', 'zipped');
  await waitFor('the copy is served', async () => (await get('/a.css', acceptsGzip)) === 'zipped');
  expect(await get('/a.css')).toBe('plain');
  rmSync(join(site, 'a.css.gz'));
  await waitFor('the file itself is served', async () => (await get('/a.css', acceptsGzip)) === 'plain');
});

test('a file that was overwritten in place is read again, with its new length', async () => {
  replaceFile('a.txt', 'first');
  const notModifiedReply = await serve('/a.txt', { 'if-none-match': '*' });
  expect(typeof notModifiedReply === 'object' && notModifiedReply.status).toBe(304);
  writeFileSync(join(site, 'a.txt'), 'changed in place');
  const reply = await serve('/a.txt');
  expect([await readBody(reply), getBodyLength(reply)]).toEqual(['changed in place', 16]);
});

test('a large file that was overwritten in place is read again, and a body ends early if its file is truncated', async () => {
  const size = 1024 * 1024;
  replaceFile('big.bin', Buffer.alloc(size, 'a'));
  expect(await get('/big.bin')).toBe('a'.repeat(size));
  writeFileSync(join(site, 'big.bin'), Buffer.alloc(size + 1, 'b'));
  utimesSync(join(site, 'big.bin'), 1, 1);
  expect(await get('/big.bin')).toBe('b'.repeat(size + 1));
  const reply = await serve('/big.bin');
  writeFileSync(join(site, 'big.bin'), 'cut');
  expect(String(await readBody(reply)).length).toBeLessThan(size);
});

test('a response in progress keeps its file', async () => {
  const size = 1024 * 1024;
  replaceFile('big.bin', Buffer.alloc(size, 'a'));
  const body = getBodyStream(await serve('/big.bin'));
  const firstPiece = await body.next();
  replaceFile('big.bin', Buffer.alloc(size, 'b'));
  await waitFor('the new file is served', async () => String(await get('/big.bin')).startsWith('b'));
  const pieces = [firstPiece ?? Buffer.alloc(0)];
  for (let piece = await body.next(); piece; piece = await body.next()) pieces.push(piece);
  body.close();
  expect(Buffer.concat(pieces).toString()).toBe('a'.repeat(size));
});

test('files are served even if their number or size exceeds the cache', async () => {
  const fileCount = 700;
  const createContent = (index: number) => `${index}`.repeat(10_000);
  for (let index = 0; index < fileCount; index += 1) replaceFile(`${index}.txt`, createContent(index));
  for (let turn = 0; turn < 2; turn += 1) {
    for (let index = 0; index < fileCount; index += 1) expect(await get(`/${index}.txt`)).toBe(createContent(index));
  }
  const concurrentBodies = await Promise.all(Array.from({ length: fileCount }, (_, index) => get(`/${index}.txt`)));
  expect(concurrentBodies.every((text, index) => text === createContent(index))).toBe(true);
});

test('an unread body leaks no handle', async () => {
  replaceFile('big.bin', Buffer.alloc(1024 * 1024));
  getBodyStream(await serve('/big.bin')).close();
  replaceFile('small.txt', 'x');
  await serve('/small.txt', { 'if-none-match': '*' });
  await waitForClosedFiles();
});

test('ranges are served from a cached file and from a large file', async () => {
  replaceFile('a.txt', '0123456789');
  replaceFile('big.bin', Buffer.alloc(1024 * 1024, '0123456789'));
  for (const name of ['/a.txt', '/a.txt', '/big.bin']) {
    expect(await get(name, { range: 'bytes=2-4' })).toBe('234');
    const parts = String(await get(name, { range: 'bytes=0-1,5-6' })).split('\r\n');
    expect(parts.filter((line) => /^\d+$/.test(line))).toEqual(['01', '56']);
  }
});

test('the time to parse a list of ranges grows linearly with its blanks', async () => {
  replaceFile('a.txt', '0123456789');
  const manyBlanks = ' '.repeat(15_000);
  expect(await get('/a.txt', { range: `bytes=2-4\t ,${manyBlanks},` })).toBe('234');
  /** Returns the duration of the fastest of three runs, ms. */
  const measureMs = async (range: string) => {
    let leastMs = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < 3; turn += 1) {
      const startedAt = performance.now();
      expect(await get('/a.txt', { range })).toBe('0123456789');
      leastMs = Math.min(leastMs, performance.now() - startedAt);
    }
    return leastMs;
  };
  // A regular expression that backtracks from each blank would take a thousand times as long.
  expect(
    (await measureMs(`bytes=0-1${manyBlanks}x`)) / (await measureMs(`bytes=0-1${'x'.repeat(15_000)}`)),
  ).toBeLessThan(100);
});
