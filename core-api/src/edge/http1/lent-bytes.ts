import type { Writable } from 'node:stream';

/** Up to this size bytes go out as one string with what stands around them: one write, no buffer. */
const SMALL = 15_000;
/** The longest read of an upstream with the longest head before it; a larger piece gets a buffer of its own. */
const SCRATCH_BYTES = 160 * 1024;
const MAX_SPARE = 8;

const spare: Buffer[] = [];
let scratch: Buffer = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

function fill(whole: Buffer, before: string, bytes: Buffer, after: string): Buffer {
  whole.write(before, 'latin1');
  whole.set(bytes, before.length);
  whole.write(after, before.length + bytes.length, 'latin1');
  return whole;
}

/**
 * Writes bytes that are the caller's again when the call returns, and what stands around them, with one call of the system.
 * A buffer for each would cost more than the copy: mostly the system takes all at once, and the same one serves the next.
 * @param before Latin-1, as `after`
 * @returns false when the other side reads too slowly
 */
export function writeLent(socket: Writable, before: string, bytes: Buffer, after: string): boolean {
  if (bytes.length <= SMALL) return socket.write(before + bytes.toString('latin1') + after, 'latin1');
  const size = before.length + bytes.length + after.length;
  if (size > SCRATCH_BYTES) return socket.write(fill(Buffer.allocUnsafeSlow(size), before, bytes, after));
  const own = scratch;
  let isWaiting = false;
  const flows = socket.write(fill(own, before, bytes, after).subarray(0, size), () => {
    if (isWaiting && spare.length < MAX_SPARE) spare.push(own);
  });
  if (socket.writableLength > 0) {
    // What was not taken is read from it later.
    isWaiting = true;
    scratch = spare.pop() ?? Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  }
  return flows;
}
