import { constants, fstatSync, openSync } from 'node:fs';

export const STDOUT = 1;
export const STDERR = 2;

/** Opens a pipe or terminal again in non-blocking mode, because other programs share the mode of `descriptor`. */
function openNonBlocking(descriptor: number): number {
  const path = `/proc/self/fd/${descriptor}`;
  const { O_WRONLY, O_RDWR, O_NONBLOCK, O_APPEND, O_NOCTTY } = constants;
  // A named pipe without a reader can only be opened for both directions.
  for (const access of [O_WRONLY, O_RDWR]) {
    try {
      return openSync(path, access | O_NONBLOCK | O_APPEND | O_NOCTTY);
    } catch {
      // The named pipe has no reader, the pipe or terminal belongs to another user, or there is no /proc.
    }
  }
  return descriptor;
}

/**
 * Returns a descriptor of the same file whose writes fail with EAGAIN instead of waiting for a reader. Writes to a
 * regular file never wait for a reader, so its descriptor is returned unchanged.
 */
export function toNonBlocking(descriptor: number): number {
  const stats = fstatSync(descriptor);
  if (stats.isFIFO() || stats.isCharacterDevice()) return openNonBlocking(descriptor);
  // The first access to `process.stdout` sets a socket to non-blocking mode.
  if (stats.isSocket() && descriptor === STDOUT) void process.stdout;
  return descriptor;
}
