import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Whether several processes can write to it without mixing what each of them writes in one call: a file takes it whole, a
 * pipe or a socket takes a long one in parts.
 */
export function takesWholeWrites(descriptor: number): boolean {
  const about = fstatSync(descriptor);
  return about.isFile() || (about.isCharacterDevice() && !isatty(descriptor));
}
