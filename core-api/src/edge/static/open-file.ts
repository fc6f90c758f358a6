import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { getErrorCode } from '../../platform/errors/error-details';

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
  realPath: string;
  mayServe(realPath: string): boolean;
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ELOOP', 'ENXIO']);

/** Resolves to undefined if the file is missing or unreadable. Other errors are thrown. */
export async function undefinedIfMissing<Value>(task: Promise<Value>): Promise<Value | undefined> {
  try {
    return await task;
  } catch (error) {
    if (MISSING.has(getErrorCode(error))) return undefined;
    throw error;
  }
}

/** Returns the real path of an open file. Without /proc, the result of `realpath` must lead to the same file. */
async function findRealPath(handle: FileHandle, requestedPath: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    const [path, opened] = await Promise.all([realpath(requestedPath), handle.stat()]);
    const stats = await stat(path);
    return stats.dev === opened.dev && stats.ino === opened.ino ? path : undefined;
  }
}

/**
 * Opens a file, then checks it, because a checked path could change. `O_NONBLOCK` prevents a wait on a named pipe.
 * @returns undefined unless it is a regular file or a folder, is below the site's folder, and may be served
 */
export async function openFile(
  { realPath, mayServe }: SiteRoot,
  segments: readonly string[],
): Promise<OpenedFile | 'folder' | undefined> {
  const requestedPath = join(realPath, ...segments);
  const handle = await undefinedIfMissing(open(requestedPath, constants.O_RDONLY | constants.O_NONBLOCK));
  if (!handle) return undefined;
  let shouldKeep = false;
  try {
    const path = await undefinedIfMissing(findRealPath(handle, requestedPath));
    if (path === undefined || (path !== realPath && !path.startsWith(realPath + sep)) || !mayServe(path))
      return undefined;
    const info = await handle.stat();
    if (info.isDirectory()) return 'folder';
    shouldKeep = info.isFile();
    return shouldKeep ? { handle, path, size: info.size, modified: info.mtime } : undefined;
  } finally {
    if (!shouldKeep) await handle.close();
  }
}
