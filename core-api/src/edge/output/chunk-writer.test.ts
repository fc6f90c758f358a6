import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../../scripts/testing/program';
import { createLog } from '../../log';
import { ChunkWriter } from './chunk-writer';

let folder: string;
let input: number;
let output: number;
let writer: ChunkWriter;
let dropped = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chunk-writer-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  input = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  output = openSync(pipe, 'w');
  dropped = 0;
  writer = new ChunkWriter(() => {
    dropped += 1;
  }, output);
});
afterEach(() => {
  closeSync(output);
  closeSync(input);
  rmSync(folder, { recursive: true });
});

const piece = Buffer.alloc(1024 * 1024);
/** What has come meanwhile. */
function read(): string {
  try {
    return piece.toString('latin1', 0, readSync(input, piece));
  } catch {
    return '';
  }
}

test("a line of the process's own log stands between the lines of a chunk that a slow reader takes", async () => {
  const log = createLog('info', 'x', writer);
  const lines = Array.from({ length: 10_000 }, (_, at) => `{"line":${at},"text":"${'x'.repeat(50)}"}\n`);
  writer.push(Buffer.from(lines.join('')));
  // The pipe is full, and the chunk is not through.
  let text = '';
  await until('the chunk has begun', async () => {
    text += read();
    return text !== '';
  });
  log.warn('own');
  await until('all has come', async () => {
    text += read();
    return text.includes('"own"') && text.length > lines.join('').length;
  });
  const messages = text
    .split(/(?<=\n)/)
    .map((line): { line?: number; msg?: string } => JSON.parse(line))
    .map(({ line, msg }) => msg ?? line);
  expect(messages).toEqual([...lines.keys(), 'own']);
  expect(dropped).toBe(0);
});

test('while nothing is under way a line is written at once', () => {
  createLog('info', 'x', writer).info('last word');
  expect(read()).toContain('"last word"');
});
