import { basename, dirname } from 'node:path';
import { type ContentEncoding, encodingSuffix } from '../../routing/sites/manifest';
import { getMediaType } from '../../routing/sites/media-types';
import { type OpenedFile, openFile, type SiteRoot } from './open-file';
import { type MemoryBudget, SharedFile } from './shared-file';

/** Encodings of precompressed siblings, the best first. */
const ENCODINGS = ['br', 'gzip'] as const;

/** A file in one encoding. */
export interface Variant {
  /** Undefined for the original file. */
  readonly encoding: ContentEncoding | undefined;
  readonly file: SharedFile;
  readonly type: string;
  /** Strong ETag with its quotes. */
  readonly etag: string;
  /** Value of `Last-Modified`, or undefined for content without a date. */
  readonly modified: Date | undefined;
  /** Header lines, each with its CRLF, without `Content-Type`. */
  readonly lines: string;
}

/** A file with its precompressed siblings. */
export class Resource {
  private isReleased = false;

  constructor(
    readonly original: Variant,
    /** The precompressed siblings, the best first. */
    readonly compressed: readonly Variant[],
  ) {}

  /** Releases the reference of the cache. Responses in progress have separate references. */
  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    for (const { file } of [this.original, ...this.compressed]) file.release();
  }
}

/** Opens the precompressed siblings of a file. The returned resource owns all opened files. */
export async function openResource(root: SiteRoot, original: OpenedFile, memory: MemoryBudget): Promise<Resource> {
  const { path } = original;
  const folder = { ...root, realPath: dirname(path) };
  const siblings = await Promise.allSettled(
    ENCODINGS.map(async (encoding) => ({
      encoding,
      found: await openFile(folder, [basename(path) + encodingSuffix[encoding]]),
    })),
  );
  const opened: { encoding: ContentEncoding | undefined; file: OpenedFile }[] = [];
  for (const sibling of siblings) {
    if (sibling.status === 'fulfilled' && typeof sibling.value.found === 'object')
      opened.push({ encoding: sibling.value.encoding, file: sibling.value.found });
  }
  const failed = siblings.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await Promise.all([original, ...opened.map(({ file }) => file)].map(({ handle }) => handle.close()));
    throw failed.reason;
  }
  const type = getMediaType(path);
  const varies = opened.length > 0;
  const createVariant = (file: OpenedFile, encoding: ContentEncoding | undefined): Variant => {
    const { size, modified } = file;
    const etag = `"${size.toString(36)}-${Math.round(modified.getTime()).toString(36)}${encoding ? `-${encoding}` : ''}"`;
    let lines = `Accept-Ranges: bytes\r\nETag: ${etag}\r\nLast-Modified: ${modified.toUTCString()}\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n`;
    if (encoding) lines += `Content-Encoding: ${encoding}\r\n`;
    if (varies) lines += 'Vary: Accept-Encoding\r\n';
    return { encoding, file: new SharedFile(file, memory), type, etag, modified, lines };
  };
  return new Resource(
    createVariant(original, undefined),
    opened.map(({ encoding, file }) => createVariant(file, encoding)),
  );
}
