import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isNativeError } from 'node:util/types';

/** A regular file that was opened and checked. The caller closes it. */
export interface OpenedFile {
  handle: FileHandle;
  /** Its path without links, as it is spelled on disk. */
  path: string;
  size: number;
  modified: Date;
}

/** The folder of a site, and which real paths may be served at all. */
export interface SiteRoot {
  /** Without links. */
  real: string;
  mayServe(real: string): boolean;
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ELOOP', 'ENXIO']);
const isMissing = (error: unknown): boolean =>
  isNativeError(error) && 'code' in error && MISSING.has(String(error.code));

/** @returns undefined where the file is missing or unreadable */
export async function ifPresent<Value>(task: Promise<Value>): Promise<Value | undefined> {
  try {
    return await task;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Real path of an open file: from the kernel, or else `realpath` if it still leads to the same file. */
async function pathOf(handle: FileHandle, asked: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    const [path, opened] = await Promise.all([realpath(asked), handle.stat()]);
    const found = await stat(path);
    return found.dev === opened.dev && found.ino === opened.ino ? path : undefined;
  }
}

/**
 * Opens first and checks the opened file, so that it cannot be replaced in between: a regular file inside the site's folder
 * and where files may be served.
 */
export async function openFile(
  { real, mayServe }: SiteRoot,
  segments: readonly string[],
): Promise<OpenedFile | 'folder' | undefined> {
  const asked = join(real, ...segments);
  const handle = await ifPresent(open(asked, constants.O_RDONLY | constants.O_NONBLOCK));
  if (!handle) return undefined;
  let keep = false;
  try {
    const path = await ifPresent(pathOf(handle, asked));
    if (path === undefined || (path !== real && !path.startsWith(real + sep)) || !mayServe(path)) return undefined;
    const info = await handle.stat();
    if (info.isDirectory()) return 'folder';
    keep = info.isFile();
    return keep ? { handle, path, size: info.size, modified: info.mtime } : undefined;
  } finally {
    if (!keep) await handle.close();
  }
}
