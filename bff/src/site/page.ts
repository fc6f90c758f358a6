import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { contentSecurityPolicy } from './html';
import { fillIn, originOf } from './placeholders';

export interface Installation {
  baseDomain: string;
  brandName: string;
}

/** The bytes of one encoding, and their entity tag. */
interface Variant {
  bytes: Buffer;
  etag: string;
}

interface Filled {
  text: string;
  policy: string;
  br: Variant;
  gzip: Variant;
  identity: Variant;
}

/** A text file of the build. */
export interface Page {
  /** Its text for the origin of this request. */
  text(request: Request): string;
  /** Answers with it in the best encoding; revalidated each time, 304 when unchanged. */
  send(request: Request, response: Response, status: number): void;
}

const KEPT_ORIGINS = 8;
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

const variant = (bytes: Buffer): Variant => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
});

const compress = (text: string): Filled => {
  const bytes = Buffer.from(text);
  return {
    text,
    policy: contentSecurityPolicy(text),
    br: variant(brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
    gzip: variant(gzipSync(bytes, { level: 9 })),
    identity: variant(bytes),
  };
};

/**
 * Reads a text file of the build.
 * @param type its media type, as express spells it
 * @returns undefined when there is no such file
 */
export function readPage(file: string, type: string, { baseDomain, brandName }: Installation): Page | undefined {
  if (!existsSync(file)) return undefined;
  const template = readFileSync(file, 'utf8');
  const kept = new Map<string, Filled>();

  const filled = (request: Request): Filled => {
    const origin = originOf(request.protocol, request.host, baseDomain);
    const year = new Date().getFullYear();
    const key = `${origin} ${year}`;
    const page = kept.get(key) ?? compress(fillIn(template, { origin, brandName, year }));
    // Deleted and set again, a Map is in order of use.
    kept.delete(key);
    kept.set(key, page);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_ORIGINS) break;
      kept.delete(oldest);
    }
    return page;
  };

  return {
    text: (request) => filled(request).text,
    send(request, response, status) {
      const page = filled(request);
      const encoding = ENCODINGS.find((name) => request.acceptsEncodings(name)) ?? 'identity';
      const { bytes, etag } = page[encoding];
      response.status(status).type(type).vary('Accept-Encoding');
      response.set({ 'Content-Security-Policy': page.policy, 'Cache-Control': 'no-cache', ETag: etag });
      if (encoding !== 'identity') response.set('Content-Encoding', encoding);
      response.send(bytes);
    },
  };
}
