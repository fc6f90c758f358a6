import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defaultLimits } from '../limits';
import { RequestReader } from './request-reader';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const CONNECTIONS = 500;

/** Returns the heap bytes that a connection holds after these heads. */
function measureHeapPerConnection(createHeads: (connection: number) => string[]): number {
  const readers: RequestReader[] = [];
  collectGarbage();
  const heapBytesBefore = process.memoryUsage().heapUsed;
  for (let connection = 0; connection < CONNECTIONS; connection += 1) {
    const reader = new RequestReader(defaultLimits, () => undefined);
    for (const head of createHeads(connection)) expect(reader.read(Buffer.from(head, 'latin1'))).toHaveProperty('line');
    readers.push(reader);
  }
  collectGarbage();
  const bytes = process.memoryUsage().heapUsed - heapBytesBefore;
  expect(readers).toHaveLength(CONNECTIONS);
  return bytes / CONNECTIONS;
}

/** V8 copies parts of up to 12 characters instead of slicing them, so the last header line is longer. */
const createRequests = (target: string) => (connection: number) =>
  [1, 2].map((turn) => `GET /${target} HTTP/1.1\r\nHost: a\r\nX-Long-Enough: ${connection} of its own ${turn}\r\n\r\n`);

test('between two requests a connection keeps its header block in memory, but not the target', () => {
  // The first measurement would also count memory that is allocated only once, so it is ignored.
  measureHeapPerConnection(createRequests('a'));
  const longTargetBytes = measureHeapPerConnection(createRequests('a'.repeat(12_000)));
  expect(longTargetBytes - measureHeapPerConnection(createRequests('a'))).toBeLessThan(4_096);
});
