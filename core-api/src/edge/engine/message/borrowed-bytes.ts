import type { Writable } from 'node:stream';

/** Bytes of up to this size are copied into one string with the texts around them, without the scratch buffer. */
const MAX_STRING_BYTES = 15_000;
/** The scratch buffer holds the longest upstream read with the longest head before it. Longer pieces get a new one. */
const SCRATCH_BYTES = 160 * 1024;
const MAX_SPARE = 8;

const spareBuffers: Buffer[] = [];
let scratch: Buffer = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

function fill(target: Buffer, before: string, bytes: Buffer, after: string): Buffer {
  target.write(before, 'latin1');
  target.set(bytes, before.length);
  target.write(after, before.length + bytes.length, 'latin1');
  return target;
}

/**
 * Writes borrowed bytes and the texts around them with one system call. After the call, the caller owns the bytes
 * again. Long bytes are copied into a scratch buffer, which the next write reuses if the kernel takes all of them.
 * @param before Latin-1, like `after`
 * @returns false when the socket's buffer is above its high-water mark
 */
export function writeBorrowed(socket: Writable, before: string, bytes: Buffer, after: string): boolean {
  if (bytes.length <= MAX_STRING_BYTES) return socket.write(before + bytes.toString('latin1') + after, 'latin1');
  const size = before.length + bytes.length + after.length;
  if (size > SCRATCH_BYTES) return socket.write(fill(Buffer.allocUnsafeSlow(size), before, bytes, after));
  const buffer = scratch;
  let isReplaced = false;
  const isBelowHighWaterMark = socket.write(fill(buffer, before, bytes, after).subarray(0, size), () => {
    if (isReplaced && spareBuffers.length < MAX_SPARE) spareBuffers.push(buffer);
  });
  if (socket.writableLength > 0) {
    // The socket still reads from this buffer, so the next write needs another buffer.
    isReplaced = true;
    scratch = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  }
  return isBelowHighWaterMark;
}
