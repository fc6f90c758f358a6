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
let dropped = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whole-lines-'));
  file = join(folder, 'log');
  descriptor = openSync(file, 'a');
  dropped = 0;
  writer = new FileWriter(() => {
    dropped += 1;
  }, descriptor);
});
afterEach(() => {
  closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

function stream(): PassThrough {
  const passed = new PassThrough();
  forwardLines(passed, writer);
  return passed;
}

async function written(...streams: PassThrough[]): Promise<string> {
  for (const one of streams) one.end();
  await Promise.all(streams.map((one) => finished(one)));
  await writer.flushed();
  expect(dropped).toBe(0);
  return readFileSync(file, 'latin1');
}

test('lines of two streams are never mixed, wherever their chunks end', async () => {
  const texts = ['a', 'b'].map((name) =>
    Array.from({ length: 300 }, (_, at) => `${name}${at} ${name.repeat((at * 7) % 50)}\n`),
  );
  const streams = texts.map(stream);
  const bytes = texts.map((lines) => Buffer.from(lines.join('')));
  for (let at = 0, turn = 0; at < 10_000; turn += 1) {
    const size = 1 + ((turn * 11) % 97);
    for (const [index, one] of streams.entries()) {
      const chunk = bytes[index]?.subarray(at, at + size);
      if (chunk && chunk.length > 0) one.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    at += size;
  }
  const lines = (await written(...streams)).split(/(?<=\n)/);
  expect(['a', 'b'].map((name) => lines.filter((line) => line.startsWith(name)))).toEqual(texts);
  expect(lines).toHaveLength(600);
});

test('half a line at the end of one stream is not joined with a line of another', async () => {
  const [killed, other] = [stream(), stream()];
  killed.write('{"whole":1}\n{"ha');
  killed.end('lf');
  await finished(killed);
  other.write('{"whole":2}\n');
  expect(await written(other)).toBe('{"whole":1}\n{"half\n{"whole":2}\n');
});
