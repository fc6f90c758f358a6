import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../platform/log/log';
import { SocketWriter } from './socket-writer';

let folder: string;
let server: Server;
/** A reader that is paused until `resume`. */
let reader: Socket;
let socket: Socket;
let writer: SocketWriter;
let droppedCount = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'socket-writer-'));
  const path = join(folder, 'socket');
  server = createServer({ pauseOnConnect: true }).listen(path);
  await once(server, 'listening');
  const whenAccepted = once(server, 'connection');
  socket = connect(path);
  [[reader]] = await Promise.all([whenAccepted, once(socket, 'connect')]);
  droppedCount = 0;
  writer = new SocketWriter(socket, () => {
    droppedCount += 1;
  });
});
afterEach(() => {
  for (const socketOrReader of [socket, reader]) socketOrReader.destroy();
  server.close();
  rmSync(folder, { recursive: true });
});

const createChunk = (firstLine: number, lineCount: number) =>
  Buffer.from(
    Array.from({ length: lineCount }, (_, index) => `{"line":${firstLine + index},"text":"${'x'.repeat(50)}"}\n`).join(
      '',
    ),
  );

async function readAll(): Promise<string> {
  let text = '';
  reader.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  reader.resume();
  await writer.waitUntilFlushed();
  socket.end();
  await once(reader, 'end');
  return text;
}

test('a line of the process log never lands inside a line that a slow reader has partly read', async () => {
  const log = createLog('info', 'x', writer);
  writer.push(createChunk(0, 10_000));
  // The socket is full.
  expect(socket.writableLength).toBeGreaterThan(0);
  log.warn('own');
  writer.push(createChunk(10_000, 10));
  const messages = (await readAll())
    .split(/(?<=\n)/)
    .map((line): { line?: number; msg?: string } => JSON.parse(line))
    .map(({ line, msg }) => msg ?? line);
  expect(messages).toEqual([
    ...Array(10_000).keys(),
    'own',
    ...Array.from({ length: 10 }, (_, index) => 10_000 + index),
  ]);
  expect(droppedCount).toBe(0);
});

test('several processes write complete chunks into one socket, even when the socket is full', async () => {
  const program = join(folder, 'writer.ts');
  const modulePath = join(__dirname, 'socket-writer');
  writeFileSync(
    program,
    `import { SocketWriter } from ${JSON.stringify(modulePath)};
    const writer = new SocketWriter(process.stdout, () => process.exit(1));
    for (let chunk = 0; chunk < 100; chunk += 1) writer.push(Buffer.alloc(32 * 1024, process.argv[2]));
    process.send('', () => process.disconnect());`,
  );
  const children = ['a', 'b', 'c', 'd'].map((letter) =>
    spawn(process.execPath, ['--require', 'esbuild-register', program, letter], {
      stdio: ['ignore', socket, 'inherit', 'ipc'],
    }),
  );
  const exits = children.map((child) => once(child, 'exit'));
  await Promise.all(children.map((child) => once(child, 'message')));
  let text = '';
  reader.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  reader.resume();
  await Promise.all(exits);
  socket.end();
  await once(reader, 'end');
  const pieces = text.match(/(.)\1*/g) ?? [];
  expect(pieces.filter((piece) => piece.length % (32 * 1024) !== 0)).toEqual([]);
  expect(pieces.join('')).toHaveLength(4 * 100 * 32 * 1024);
});

test('a line that fits into the socket is sent before `write` returns', async () => {
  createLog('info', 'x', writer).info('last word');
  socket.destroy();
  expect(await readAll()).toContain('"last word"');
});

test('at most 8 MB are queued for a stalled reader, and further chunks are dropped and counted', async () => {
  const chunk = createChunk(0, 1_000);
  // The number of chunks is bounded, because a socket that has ended would never be full.
  for (let pushed = 0; droppedCount === 0 && pushed < 1_000; pushed += 1) writer.push(chunk);
  expect(droppedCount).toBe(1);
  const text = await readAll();
  // The kernel's buffers hold some further bytes.
  expect(text.length).toBeLessThan(9 * 1024 * 1024);
  expect(text.length % chunk.length).toBe(0);
  expect(text.slice(-chunk.length)).toBe(chunk.toString());
});

test('without a reader every chunk counts as dropped, and no error is thrown', async () => {
  const whenClosed = new Promise((resolve) => socket.once('close', resolve));
  reader.destroy();
  writer.push(createChunk(0, 10_000));
  await whenClosed;
  writer.push(createChunk(0, 1));
  await writer.waitUntilFlushed();
  await new Promise(setImmediate);
  expect(droppedCount).toBe(2);
});
