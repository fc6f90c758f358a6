import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { FileWriter } from './file-writer';
import { forwardLines } from './forward-lines';

let folder: string;
let file: string;
let descriptor: number;
let writer: FileWriter;
let droppedCount = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forward-lines-'));
  file = join(folder, 'log');
  descriptor = openSync(file, 'a');
  droppedCount = 0;
  writer = new FileWriter(() => {
    droppedCount += 1;
  }, descriptor);
});
afterEach(() => {
  closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

function openStream(): PassThrough {
  const stream = new PassThrough();
  forwardLines(stream, writer);
  return stream;
}

async function endStreams(...streams: PassThrough[]): Promise<string> {
  for (const input of streams) input.end();
  await Promise.all(streams.map((input) => finished(input)));
  await writer.waitUntilFlushed();
  expect(droppedCount).toBe(0);
  return readFileSync(file, 'latin1');
}

test('lines of two streams are never mixed, wherever their chunks end', async () => {
  const texts = ['a', 'b'].map((name) =>
    Array.from({ length: 300 }, (_, index) => `${name}${index} ${name.repeat((index * 7) % 50)}\n`),
  );
  const streams = texts.map(openStream);
  const bytes = texts.map((lines) => Buffer.from(lines.join('')));
  for (let start = 0, turn = 0; start < 10_000; turn += 1) {
    const size = 1 + ((turn * 11) % 97);
    for (const [index, input] of streams.entries()) {
      const chunk = bytes[index]?.subarray(start, start + size);
      if (chunk && chunk.length > 0) input.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    start += size;
  }
  const lines = (await endStreams(...streams)).split(/(?<=\n)/);
  expect(['a', 'b'].map((name) => lines.filter((line) => line.startsWith(name)))).toEqual(texts);
  expect(lines).toHaveLength(600);
});

test('an incomplete line at the end of one stream is not joined with a line of another stream', async () => {
  const [killedStream, otherStream] = [openStream(), openStream()];
  killedStream.write('{"whole":1}\n{"ha');
  killedStream.end('lf');
  await finished(killedStream);
  otherStream.write('{"whole":2}\n');
  expect(await endStreams(otherStream)).toBe('{"whole":1}\n{"half\n{"whole":2}\n');
});
