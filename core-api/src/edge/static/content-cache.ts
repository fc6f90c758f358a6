import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type ContentEncoding, encodingSuffix } from '../../routing/sites/manifest';
import { type OpenedFile, undefinedIfMissing } from './open-file';
import { cachePending, type Pending, releasePending } from './pending-cache';
import { Resource, type Variant } from './resource';
import { type MemoryBudget, SharedFile } from './shared-file';

/** Time for which a file stays open, ms. Removed content frees its disk space once its last handle is closed. */
const OPEN_MS = 60_000;
const MAX_FILES = 512;
const MAX_BYTES = 16 * 1024 * 1024;

async function openContent(path: string): Promise<OpenedFile | undefined> {
  const handle = await undefinedIfMissing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW));
  if (!handle) return undefined;
  let shouldKeep = false;
  try {
    const info = await handle.stat();
    shouldKeep = info.isFile();
    return shouldKeep ? { handle, path, size: info.size, modified: info.mtime } : undefined;
  } finally {
    if (!shouldKeep) await handle.close();
  }
}

/**
 * Opened files of the content store (contract §8). Content never changes under its digest, so an opened file is not
 * checked again, and its ETag is the digest.
 */
export class ContentCache {
  private readonly files = new LRUCache<string, Pending<Resource>>({
    max: MAX_FILES,
    ttl: OPEN_MS,
    ttlAutopurge: true,
    // A pending promise is replaced by its result, which stays in use.
    dispose: (pending, _key, reason) => reason !== 'set' && releasePending(pending, (resource) => resource.release()),
  });
  private readonly memory: MemoryBudget = { remainingBytes: MAX_BYTES };

  /** @param folder folder with the files, named by their digests */
  constructor(private readonly folder: string) {}

  getPath(digest: string): string {
    return join(this.folder, digest.slice(0, 2), digest);
  }

  /** Finds a file by its digest, and opens it once. @returns undefined if this machine does not have the file */
  find(
    digest: string,
    encodings: readonly ContentEncoding[] = [],
  ): Resource | undefined | Promise<Resource | undefined> {
    const cached = this.files.get(digest);
    if (cached) return cached;
    return cachePending(this.files, digest, this.open(digest, encodings));
  }

  private async open(digest: string, encodings: readonly ContentEncoding[]): Promise<Resource | undefined> {
    const original = await openContent(this.getPath(digest));
    if (!original) return undefined;
    const opened = [original];
    try {
      const compressed: Variant[] = [];
      for (const encoding of encodings) {
        const copy = await openContent(this.getPath(digest) + encodingSuffix[encoding]);
        if (!copy) continue;
        opened.push(copy);
        compressed.push(this.createVariant(copy, digest, encoding, true));
      }
      return new Resource(this.createVariant(original, digest, undefined, compressed.length > 0), compressed);
    } catch (error) {
      for (const { handle } of opened) await handle.close();
      throw error;
    }
  }

  private createVariant(
    file: OpenedFile,
    digest: string,
    encoding: ContentEncoding | undefined,
    varies: boolean,
  ): Variant {
    const shortName = encoding === 'gzip' ? 'gz' : encoding;
    const etag = shortName ? `"${digest}-${shortName}"` : `"${digest}"`;
    let lines = `Accept-Ranges: bytes\r\nETag: ${etag}\r\nX-Content-Type-Options: nosniff\r\n`;
    if (encoding) lines += `Content-Encoding: ${encoding}\r\n`;
    if (varies) lines += 'Vary: Accept-Encoding\r\n';
    const type = 'application/octet-stream';
    return { encoding, file: new SharedFile(file, this.memory), type, etag, modified: undefined, lines };
  }
}
