import type { Readable } from 'node:stream';
import type { Output } from './output';

const NEWLINE = 0x0a;
const LINE_END = Buffer.from('\n');

/** Passes a stream on in pieces that end with a line: several streams can go into one without mixing their lines. */
export function passWholeLines(stream: Readable, target: Output): void {
  let rest: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      // Only a line that came in parts is copied.
      const start = rest.length > 0 ? chunk.indexOf(NEWLINE) + 1 : 0;
      if (start > 0) target.push(Buffer.concat([...rest, chunk.subarray(0, start)]));
      if (end > start) target.push(chunk.subarray(start, end));
      rest = [];
    }
    if (end < chunk.length) rest.push(chunk.subarray(end));
  });
  stream.once('end', () => {
    // Whoever was killed has written half a line: another stream's must not become its other half.
    if (rest.length > 0) target.push(Buffer.concat([...rest, LINE_END]));
  });
}
