import { constants, fstatSync, openSync } from 'node:fs';

export const STDOUT = 1;

/**
 * Opens the pipe or terminal again in non-blocking mode, because the mode of the first descriptor is shared with other
 * programs.
 */
function reopenNonBlocking(descriptor: number): number {
  const path = `/proc/self/fd/${descriptor}`;
  const { O_WRONLY, O_RDWR, O_NONBLOCK, O_APPEND, O_NOCTTY } = constants;
  // A named pipe without a reader can only be opened for both directions.
  for (const access of [O_WRONLY, O_RDWR]) {
    try {
      return openSync(path, access | O_NONBLOCK | O_APPEND | O_NOCTTY);
    } catch {
      // The pipe or terminal belongs to another user, or there is no /proc.
    }
  }
  return descriptor;
}

/**
 * Returns a descriptor that replaces `descriptor` for writing. A write to the replacement fails with EAGAIN instead of
 * waiting for a reader. The descriptor of a regular file is returned unchanged, because a file never waits for a
 * reader.
 */
export function openNonBlocking(descriptor: number): number {
  const stats = fstatSync(descriptor);
  if (stats.isFIFO() || stats.isCharacterDevice()) return reopenNonBlocking(descriptor);
  // Node sets a socket to non-blocking mode when it opens its stream.
  if (stats.isSocket() && descriptor === STDOUT) void process.stdout;
  return descriptor;
}
