import { realpath } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { ifPresent, openFile } from './open-file';
import { openResource, Resource } from './resource';
import type { Memory } from './served-file';

/** How long an opened file is served before its path is resolved again. */
const VALID_MS = 1_000;
const MAX_SITES = 1_000;
const MAX_FILES = 512;
const MAX_BYTES = 16 * 1024 * 1024;

type InSite = Resource | 'folder';
/** 'closed': the site's folder is missing or may not be served; nothing: there is no such file. */
export type Found = InSite | 'closed' | undefined;

type Coming<Value> = Value | Promise<Value | undefined>;

function letGo(judged: Coming<InSite>): void {
  if (judged instanceof Resource) judged.release();
  else if (judged instanceof Promise) {
    judged.then(
      (late) => late && letGo(late),
      () => undefined,
    );
  }
}

/**
 * Files of sites that were opened within the last second. Missing files are not cached: a new one is served at once, and
 * made-up names take no memory.
 */
export class FileCache {
  private readonly roots = new LRUCache<string, Coming<string>>({ max: MAX_SITES, ttl: VALID_MS });
  /** By root and path below it. Nobody has to come back for a handle to be closed. */
  private readonly files = new LRUCache<string, Coming<InSite>>({
    max: MAX_FILES,
    ttl: VALID_MS,
    ttlAutopurge: true,
    // A promise is replaced by its result, which is still in use.
    dispose: (judged, _key, reason) => reason !== 'set' && letGo(judged),
  });
  private readonly memory: Memory = { left: MAX_BYTES };

  /** @param mayServe whether a file may be served, by its path without links */
  constructor(private readonly mayServe: (real: string) => boolean) {}

  /** What a path below a site's folder is. A resource is meant to be used at once; later it may be closed. */
  find(folder: string, segments: readonly string[]): Found | Promise<Found> {
    const root = this.roots.get(folder) ?? this.remember(this.roots, folder, this.rootOf(folder));
    return root instanceof Promise ? root.then((real) => this.findIn(real, segments)) : this.findIn(root, segments);
  }

  private async rootOf(folder: string): Promise<string | undefined> {
    const real = await ifPresent(realpath(folder));
    return real !== undefined && this.mayServe(real) ? real : undefined;
  }

  private findIn(real: string | undefined, segments: readonly string[]): Found | Promise<Found> {
    if (real === undefined) return 'closed';
    const key = `${real}\0${segments.join('/')}`;
    return this.files.get(key) ?? this.remember(this.files, key, this.open(real, segments));
  }

  private async open(real: string, segments: readonly string[]): Promise<InSite | undefined> {
    const root = { real, mayServe: this.mayServe };
    const file = await openFile(root, segments);
    return typeof file === 'object' ? openResource(root, file, this.memory) : file;
  }

  /** Those who ask meanwhile wait for the same one. */
  private remember<Value extends object | string>(
    judged: LRUCache<string, Coming<Value>>,
    key: string,
    coming: Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    const start = performance.now();
    judged.set(key, coming, { start });
    const settle = (value: Value | undefined) => {
      if (judged.peek(key, { allowStale: true }) !== coming) return;
      if (value === undefined) judged.delete(key);
      else judged.set(key, value, { start });
    };
    coming.then(settle, () => settle(undefined));
    return coming;
  }

  /** It turned out not to be what was judged. */
  forget(resource: Resource): void {
    for (const [key, known] of this.files.entries()) if (known === resource) this.files.delete(key);
  }
}
