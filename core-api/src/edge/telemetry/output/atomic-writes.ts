import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty } from 'node:tty';
import { STDERR, STDOUT } from '../../../platform/log/non-blocking';

/** Maximum size of a chunk. Linux writes up to 36,544 bytes, more than any line has, into a Unix socket atomically. */
export const MAX_ATOMIC_BYTES = 32 * 1024;

/** Linux writes this many bytes into a pipe atomically (`PIPE_BUF`), so lines of several workers are not mixed. */
export const MAX_ATOMIC_PIPE_BYTES = 4096;

/** Returns whether a stream is a Unix socket, which has no network address. */
const isLocal = (stream: unknown): boolean => stream instanceof Socket && stream.localAddress === undefined;

/**
 * Returns whether several processes can write chunks of up to 32 kB to standard output without tearing lines. Files and
 * Unix sockets accept a chunk atomically, but pipes, terminals and network connections do not.
 */
export function hasAtomicWrites(): boolean {
  const stats = fstatSync(STDOUT);
  // `process.stdout` is used for sockets only, because its getter makes a pipe non-blocking for every process.
  if (stats.isSocket()) return isLocal(process.stdout);
  return stats.isFile() || (stats.isCharacterDevice() && !isatty(STDOUT));
}

/** Returns whether standard error is the same socket as standard output, as under systemd. */
export function sharesSocketWithStderr(): boolean {
  const [output, errors] = [STDOUT, STDERR].map((descriptor) => fstatSync(descriptor));
  return output?.isSocket() === true && output.ino === errors?.ino && output.dev === errors.dev;
}
