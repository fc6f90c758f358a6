import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { createPagePolicy } from './html';
import { chooseSiteOrigin, fillPlaceholders } from './placeholders';

export interface Installation {
  baseDomain: string;
  sitesDomain: string;
  brandName: string;
}

/** The bytes of one encoding, and their entity tag. */
interface Variant {
  bytes: Buffer;
  etag: string;
}

type CompressedVariants = Record<'br' | 'gzip', Variant>;

interface RenderedPage extends Partial<CompressedVariants> {
  policy: string;
  identity: Variant;
}

/** A text file of the build. */
export interface Page {
  /** Returns the text of the page for the origin of this request. */
  renderText(request: Request): string;
  /** Sends the page in the best encoding. Browsers revalidate it each time and get a 304 if it is unchanged. */
  send(request: Request, response: Response, status: number): Promise<void>;
}

/** Size of the cache for origins without a port. Each scheme has one such origin. */
const MAX_PAGES_WITHOUT_PORT = 2;
/** Size of the cache for origins with a port. */
const MAX_PAGES_WITH_PORT = 8;
/** Maximum number of concurrent compressions for origins with a port. Further pages for them are sent uncompressed. */
const MAX_COMPRESSIONS = 2;
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
/** Brotli level for the installation's own origin, whose texts are compressed once. */
const STRONG_BROTLI = 9;
/** Brotli level for origins with a port. Callers can invent ports, so each of these pages must compress quickly. */
const FAST_BROTLI = 4;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const toVariant = (bytes: Buffer): Variant => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`, // 162 bits are enough.
});

async function compress(text: string, quality: number): Promise<CompressedVariants> {
  const bytes = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const [br, gz] = await Promise.all([compressBrotli(bytes, { params }), compressGzip(bytes)]);
  return { br: toVariant(br), gzip: toVariant(gz) };
}

const renderUncompressed = (text: string): RenderedPage => ({
  policy: createPagePolicy(text),
  identity: toVariant(Buffer.from(text)),
});
const renderCompressed = async (text: string, quality: number): Promise<RenderedPage> => ({
  ...renderUncompressed(text),
  ...(await compress(text, quality)),
});

/** LRU cache; the least recently used entry comes first in its map. */
class RecentPages {
  private readonly pages = new Map<string, Promise<RenderedPage>>();

  constructor(private readonly limit: number) {}

  get(key: string): Promise<RenderedPage> | undefined {
    const page = this.pages.get(key);
    if (page) this.set(key, page);
    return page;
  }

  set(key: string, page: Promise<RenderedPage>): void {
    // A map keeps the order of insertion.
    this.pages.delete(key);
    this.pages.set(key, page);
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= this.limit) break;
      this.pages.delete(oldest);
    }
  }
}

/** Number of running compressions for origins with a port, over all files. */
let compressionsInProgress = 0;

function countUntilSettled(compression: Promise<unknown>): void {
  compressionsInProgress += 1;
  const end = () => {
    compressionsInProgress -= 1;
  };
  compression.then(end, end);
}

/**
 * Reads a text file of the build.
 * @param type media type of the file, as express spells it
 * @returns undefined if the file does not exist
 */
export function readPage(
  file: string,
  type: string,
  { baseDomain, brandName, sitesDomain }: Installation,
): Page | undefined {
  if (!existsSync(file)) return undefined;
  const template = readFileSync(file, 'utf8');
  const shownSitesDomain = sitesDomain === baseDomain ? '' : sitesDomain;
  const pagesWithoutPort = new RecentPages(MAX_PAGES_WITHOUT_PORT);
  const pagesWithPort = new RecentPages(MAX_PAGES_WITH_PORT);

  const fillTemplate = (origin: string): string =>
    fillPlaceholders(template, { origin, brandName, sitesDomain: shownSitesDomain, year: new Date().getFullYear() });

  /** Pages for origins with a port have a separate cache and a faster compression, because callers can invent ports. */
  function getRenderedPage(request: Request): Promise<RenderedPage> {
    const origin = chooseSiteOrigin(request.protocol, request.host, baseDomain);
    const hasPort = new URL(origin).port !== '';
    const cache = hasPort ? pagesWithPort : pagesWithoutPort;
    const key = `${origin} ${new Date().getFullYear()}`;
    const cachedPage = cache.get(key);
    if (cachedPage) return cachedPage;
    const text = fillTemplate(origin);
    if (hasPort && compressionsInProgress >= MAX_COMPRESSIONS) return Promise.resolve(renderUncompressed(text));
    const page = renderCompressed(text, hasPort ? FAST_BROTLI : STRONG_BROTLI);
    cache.set(key, page);
    if (hasPort) countUntilSettled(page);
    return page;
  }

  return {
    renderText: (request) => fillTemplate(chooseSiteOrigin(request.protocol, request.host, baseDomain)),
    async send(request, response, status) {
      const page = await getRenderedPage(request);
      const encoding = ENCODINGS.find((name) => page[name] && request.acceptsEncodings(name)) ?? 'identity';
      const { bytes, etag } = page[encoding] ?? page.identity;
      response.status(status).type(type).vary('Accept-Encoding');
      response.set({ 'Content-Security-Policy': page.policy, 'Cache-Control': 'no-cache', ETag: etag });
      if (encoding !== 'identity') response.set('Content-Encoding', encoding);
      response.send(bytes);
    },
  };
}
