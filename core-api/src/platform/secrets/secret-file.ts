import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { getErrorCode } from '../errors/error-details';

/** Mode of a file that only its owner may read. */
const OWNER_ONLY = 0o600;

/** Flushes a file, or the names in a folder, to the disk. */
export function fsyncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes and flushes a file under a temporary name next to `path`, and returns the temporary path. */
function writeTemporary(path: string, text: string): string {
  const temporaryPath = `${path}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(temporaryPath, 'wx', OWNER_ONLY);
  try {
    fchmodSync(descriptor, OWNER_ONLY); // The umask may have removed bits of the mode.
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(temporaryPath, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return temporaryPath;
}

/** Returns the text of a file, or undefined if the file is missing. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns the text of a file, which is created if it is missing. A full disk or a power cut leaves no partial file. If
 * two processes create the file together, both return the text that the first process wrote.
 */
export function readOrCreateText(path: string, createText: () => string): string {
  const existingText = readText(path);
  if (existingText !== undefined) return existingText;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporaryPath = writeTemporary(path, createText());
  try {
    linkSync(temporaryPath, path);
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporaryPath);
  }
  fsyncPath(dirname(path));
  return readText(path) ?? '';
}

/** Replaces the file atomically. */
export function replaceText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  renameSync(writeTemporary(path, text), path);
  fsyncPath(dirname(path));
}
