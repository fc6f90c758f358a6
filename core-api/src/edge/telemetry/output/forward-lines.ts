import type { Readable } from 'node:stream';
import type { Output } from './output';

const NEWLINE = 0x0a;
const LINE_END = Buffer.from('\n');

/** Forwards a stream in chunks of whole lines, so that several streams can share one output. */
export function forwardLines(stream: Readable, target: Output): void {
  let partialLine: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      // Only a line that arrived in parts is copied. Complete lines are forwarded without a copy.
      const start = partialLine.length > 0 ? chunk.indexOf(NEWLINE) + 1 : 0;
      if (start > 0) target.push(Buffer.concat([...partialLine, chunk.subarray(0, start)]));
      if (end > start) target.push(chunk.subarray(start, end));
      partialLine = [];
    }
    if (end < chunk.length) partialLine.push(chunk.subarray(end));
  });
  stream.once('end', () => {
    // A killed process may end within a line. The newline separates this line from a line of another stream.
    if (partialLine.length > 0) target.push(Buffer.concat([...partialLine, LINE_END]));
  });
}
