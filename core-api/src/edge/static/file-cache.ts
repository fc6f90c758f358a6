import { realpath } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { openFile, undefinedIfMissing } from './open-file';
import { cachePending, type Pending, releasePending } from './pending-cache';
import { openResource, Resource } from './resource';
import type { MemoryBudget } from './shared-file';

/** Time for which an opened file is served before its path is resolved again, ms. */
const VALID_MS = 1_000;
const MAX_SITES = 1_000;
const MAX_FILES = 512;
const MAX_BYTES = 16 * 1024 * 1024;

type FoundFile = Resource | 'folder';
/** Result of a look-up: undefined without the file, 'root-unavailable' if the site's folder is missing or forbidden. */
export type FileLookup = FoundFile | 'root-unavailable' | undefined;

const release = (file: FoundFile): void => {
  if (file instanceof Resource) file.release();
};

/**
 * Caches files for a second. Missing files are not cached, so that a new file is served immediately and requests
 * for missing files take no memory.
 */
export class FileCache {
  private readonly roots = new LRUCache<string, Pending<string>>({ max: MAX_SITES, ttl: VALID_MS });
  /** Files by root and path. `ttlAutopurge` closes a handle even if no further request arrives. */
  private readonly files = new LRUCache<string, Pending<FoundFile>>({
    max: MAX_FILES,
    ttl: VALID_MS,
    ttlAutopurge: true,
    // A pending promise is replaced by its result, which stays in use.
    dispose: (result, _key, reason) => reason !== 'set' && releasePending(result, release),
  });
  private readonly memory: MemoryBudget = { remainingBytes: MAX_BYTES };

  /** @param mayServe returns whether a file may be served, by its path without symbolic links */
  constructor(private readonly mayServe: (realPath: string) => boolean) {}

  /** Finds a path below a site's folder. Callers must use a resource immediately, because it may be closed later. */
  find(folder: string, segments: readonly string[]): FileLookup | Promise<FileLookup> {
    const root = this.roots.get(folder) ?? cachePending(this.roots, folder, this.findRoot(folder));
    return root instanceof Promise
      ? root.then((realPath) => this.findIn(realPath, segments))
      : this.findIn(root, segments);
  }

  private async findRoot(folder: string): Promise<string | undefined> {
    const realPath = await undefinedIfMissing(realpath(folder));
    return realPath !== undefined && this.mayServe(realPath) ? realPath : undefined;
  }

  private findIn(realPath: string | undefined, segments: readonly string[]): FileLookup | Promise<FileLookup> {
    if (realPath === undefined) return 'root-unavailable';
    const key = `${realPath}\0${segments.join('/')}`;
    return this.files.get(key) ?? cachePending(this.files, key, this.open(realPath, segments));
  }

  private async open(realPath: string, segments: readonly string[]): Promise<FoundFile | undefined> {
    const root = { realPath, mayServe: this.mayServe };
    const file = await openFile(root, segments);
    return typeof file === 'object' ? openResource(root, file, this.memory) : file;
  }

  /** Removes a resource whose file has changed. */
  forget(resource: Resource): void {
    for (const [key, cached] of this.files.entries()) if (cached === resource) this.files.delete(key);
  }
}
