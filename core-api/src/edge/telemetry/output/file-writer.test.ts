import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { createLog } from '../../../platform/log/log';
import { FileWriter } from './file-writer';

let folder: string;
let pipe: string;
let readDescriptor: number;
let writeDescriptor: number;
let writer: FileWriter;
let droppedCount = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-writer-'));
  pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  readDescriptor = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  writeDescriptor = openSync(pipe, 'w');
  droppedCount = 0;
  writer = new FileWriter(() => {
    droppedCount += 1;
  }, writeDescriptor);
});
afterEach(() => {
  closeSync(writeDescriptor);
  closeSync(readDescriptor);
  rmSync(folder, { recursive: true });
});

const buffer = Buffer.alloc(1024 * 1024);
/** Reads the bytes that have arrived so far. */
function readArrived(): string {
  try {
    return buffer.toString('latin1', 0, readSync(readDescriptor, buffer));
  } catch {
    return '';
  }
}

test('a line of the process log never lands inside a chunk that a slow reader has partly read', async () => {
  const log = createLog('info', 'x', writer);
  const lines = Array.from({ length: 10_000 }, (_, index) => `{"line":${index},"text":"${'x'.repeat(50)}"}\n`);
  writer.push(Buffer.from(lines.join('')));
  // The pipe is full, and the chunk is not completely written.
  let text = '';
  await waitFor('the chunk has begun', async () => {
    text += readArrived();
    return text !== '';
  });
  log.warn('own');
  await waitFor('everything has arrived', async () => {
    text += readArrived();
    return text.includes('"own"') && text.length > lines.join('').length;
  });
  const messages = text
    .split(/(?<=\n)/)
    .map((line): { line?: number; msg?: string } => JSON.parse(line))
    .map(({ line, msg }) => msg ?? line);
  expect(messages).toEqual([...lines.keys(), 'own']);
  expect(droppedCount).toBe(0);
});

test('a line is written synchronously if the queue is empty', () => {
  createLog('info', 'x', writer).info('last word');
  expect(readArrived()).toContain('"last word"');
});

test('after a partly lost chunk the next chunk begins with a newline', async () => {
  const line = `{"text":"${'x'.repeat(91)}"}\n`;
  // The pipe takes only a part of the chunk, and this part ends within a line.
  writer.push(Buffer.from(line.repeat(10_000)));
  let text = '';
  await waitFor('the chunk has begun', async () => {
    text += readArrived();
    return text !== '';
  });
  closeSync(readDescriptor);
  await writer.waitUntilFlushed();
  expect(droppedCount).toBe(1);
  readDescriptor = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  writer.push(Buffer.from('{"next":1}\n'));
  writer.push(Buffer.from('{"next":2}\n'));
  await waitFor('everything has arrived', async () => {
    text += readArrived();
    return text.endsWith('2}\n');
  });
  const [tornLine, ...nextLines] = text.split('\n').slice(-4);
  expect(nextLines).toEqual(['{"next":1}', '{"next":2}', '']);
  expect(tornLine !== undefined && line.startsWith(tornLine)).toBe(true);
  expect(droppedCount).toBe(1);
});

test('a line of the process log after a loss begins with a newline', async () => {
  closeSync(readDescriptor);
  writer.push(Buffer.from('{"lost":1}\n'));
  await writer.waitUntilFlushed();
  readDescriptor = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  createLog('info', 'x', writer).warn('own');
  expect(readArrived()).toMatch(/^\n\{.*"own".*\}\n$/);
});
