import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress } from 'node:zlib';
import { encodingSuffix } from '../../../routing/sites/manifest';
import type { ContentStore } from './content-store';

const suffix = encodingSuffix.br;
/** Quality 11 is too slow for larger content. */
const MAX_BYTES = 20_000_000;

/** Compresses the Brotli copy of an object again. @returns whether the copy is smaller now */
async function recompressOne(store: ContentStore, digest: string, signal: AbortSignal): Promise<boolean> {
  const originalPath = store.toObjectPath(digest);
  const copyPath = store.toObjectPath(digest + suffix);
  const [originalStats, copyStats] = await Promise.all([stat(originalPath), stat(copyPath)]);
  // A copy with the modification time of its original (in ms, as `utimes` sets it) was already compressed again.
  if (copyStats.mtime.getTime() === originalStats.mtime.getTime() || originalStats.size > MAX_BYTES) return false;
  const folder = join(store.incoming, randomUUID());
  const file = join(folder, digest + suffix);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: originalStats.size,
    };
    const output = createWriteStream(file, { mode: 0o600 });
    await pipeline(createReadStream(originalPath), createBrotliCompress({ params }), output, { signal });
    const isSmaller = (await stat(file)).size < copyStats.size;
    if (!isSmaller) await writeFile(file, await readFile(copyPath));
    // The times are set before `adopt`: an edge aborts a response if the modification time of its open file changes.
    await utimes(file, originalStats.atime, originalStats.mtime);
    await store.adopt(file, digest + suffix);
    return isSmaller;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Compresses Brotli copies again with quality 11 (up to `MAX_BYTES`). A publication uses 5, so that it is live sooner.
 * Each copy is compressed again once, even if the result is not smaller.
 * @returns the number of copies that are smaller now
 */
export async function recompress(store: ContentStore, signal: AbortSignal): Promise<number> {
  let smallerCount = 0;
  for (const folder of await readdir(store.objects).catch(() => [])) {
    for (const name of await readdir(join(store.objects, folder)).catch(() => [])) {
      if (signal.aborted) return smallerCount;
      if (!name.endsWith(suffix)) continue;
      // Garbage collection may have removed the object meanwhile.
      const isSmaller = await recompressOne(store, name.slice(0, -suffix.length), signal).catch(() => false);
      if (isSmaller) smallerCount += 1;
    }
  }
  return smallerCount;
}
