import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { errorCode } from '../../platform/net/error-code';

/** A regular file that was opened and checked. The caller closes it. */
export interface OpenedFile {
  handle: FileHandle;
  /** Path without symbolic links, as spelled on disk. */
  path: string;
  size: number;
  modified: Date;
}

/** The folder of a site, and the rule for the real paths that may be served. */
export interface SiteRoot {
  /** Path without symbolic links. */
  real: string;
  mayServe(real: string): boolean;
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ELOOP', 'ENXIO']);

/** The result is undefined if the file is missing or unreadable; other errors are thrown. */
export async function undefinedIfMissing<Value>(task: Promise<Value>): Promise<Value | undefined> {
  try {
    return await task;
  } catch (error) {
    if (MISSING.has(errorCode(error))) return undefined;
    throw error;
  }
}

/** Real path of an open file: from /proc, or from `realpath` if it still leads to the same file. */
async function findRealPath(handle: FileHandle, requested: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    const [path, opened] = await Promise.all([realpath(requested), handle.stat()]);
    const stats = await stat(path);
    return stats.dev === opened.dev && stats.ino === opened.ino ? path : undefined;
  }
}

/**
 * Opens a file and checks it afterwards, so that it cannot be replaced in between. It must be a regular file below the
 * site's folder, at a path that may be served.
 */
export async function openFile(
  { real, mayServe }: SiteRoot,
  segments: readonly string[],
): Promise<OpenedFile | 'folder' | undefined> {
  const requested = join(real, ...segments);
  const handle = await undefinedIfMissing(open(requested, constants.O_RDONLY | constants.O_NONBLOCK));
  if (!handle) return undefined;
  let shouldKeep = false;
  try {
    const path = await undefinedIfMissing(findRealPath(handle, requested));
    if (path === undefined || (path !== real && !path.startsWith(real + sep)) || !mayServe(path)) return undefined;
    const info = await handle.stat();
    if (info.isDirectory()) return 'folder';
    shouldKeep = info.isFile();
    return shouldKeep ? { handle, path, size: info.size, modified: info.mtime } : undefined;
  } finally {
    if (!shouldKeep) await handle.close();
  }
}
