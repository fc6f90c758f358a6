import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty } from 'node:tty';
import { STDERR, STDOUT } from './output';

/**
 * Linux puts so much into a local socket as one piece, whole or not at all (`UNIX_SKB_FRAGS_SZ`), and the rest of a page
 * more, which a line that is longer by itself needs.
 */
export const MAX_WHOLE_BYTES = 32 * 1024;

/** A socket between processes of one machine, which has no address of the network. */
const isLocal = (stream: unknown): boolean => stream instanceof Socket && stream.localAddress === undefined;

/**
 * Whether several processes can each write up to 32 kB in one call to this one's standard output without mixing what they
 * write: a file and a local socket take it whole; a pipe, a terminal or a connection takes it in parts.
 */
export function takesWholeWrites(): boolean {
  const about = fstatSync(STDOUT);
  // Only here: with its stream Node would keep every program that shares a pipe from waiting for its reader.
  if (about.isSocket()) return isLocal(process.stdout);
  return about.isFile() || (about.isCharacterDevice() && !isatty(STDOUT));
}

/** Whether the standard error is the same socket as the standard output, as systemd has it. */
export function isOneSocket(): boolean {
  const [output, errors] = [STDOUT, STDERR].map((descriptor) => fstatSync(descriptor));
  return output?.isSocket() === true && output.ino === errors?.ino && output.dev === errors.dev;
}
