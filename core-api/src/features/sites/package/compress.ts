import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { type ContentEncoding, encodingSuffix } from '../../../routing/sites/manifest';

const MIN_BYTES = 512;
/** Minimum saving of a compressed copy; a smaller one is not worth its disk space. */
const MIN_SAVING = 0.05;
const COMPRESSIBLE =
  /^(?:text\/|application\/(?:javascript|json|manifest\+json|xml|wasm|vnd\.ms-fontobject)|image\/(?:svg\+xml|x-icon)|font\/(?:ttf|otf))/;

const compressors: Record<ContentEncoding, () => NodeJS.ReadWriteStream> = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: () => createGzip({ level: 6 }),
};

export const isCompressible = (type: string, size: number): boolean => size >= MIN_BYTES && COMPRESSIBLE.test(type);

/** Writes compressed copies beside a file, if they are worth their space. @returns their encodings, the best first */
export async function compressFile(file: string, size: number): Promise<ContentEncoding[]> {
  const kept: ContentEncoding[] = [];
  for (const encoding of ['br', 'gzip'] as const) {
    const copy = file + encodingSuffix[encoding];
    await pipeline(createReadStream(file), compressors[encoding](), createWriteStream(copy, { mode: 0o600 }));
    if ((await stat(copy)).size <= size * (1 - MIN_SAVING)) kept.push(encoding);
    else await rm(copy);
  }
  return kept;
}
