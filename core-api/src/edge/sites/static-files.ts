import { realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, extname, join, sep } from 'node:path';
import { refuseWithPage } from '../answers';
import { type ByteRange, byteRanges } from './byte-ranges';
import { mediaType } from './media-types';
import { multipart, sendPieces } from './send-file';

/** Names that a build tool derived from the content never change: they may be kept for a year. */
const HASHED = /[.-][A-Za-z0-9_-]{8,}\.(?:js|mjs|css|woff2?|png|jpe?g|webp|avif|gif|svg|ico|map|wasm)$/;
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

interface Found {
  path: string;
  size: number;
  modified: Date;
  etag: string;
}

/** Decoded segments of a path; nothing for one that leads astray (dot files but `.well-known`, `..`, NUL, backslash). */
function segmentsOf(path: string): string[] | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
  if (/[\0\\]/.test(decoded) || /%2f|%5c/i.test(path)) return undefined;
  const segments = decoded.split('/').filter((segment) => segment !== '');
  const hidden = segments.some(
    (segment, index) => segment.startsWith('.') && !(index === 0 && segment === '.well-known'),
  );
  return hidden ? undefined : segments;
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ELOOP']);
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && missing.has(String(error.code));

/** A regular file inside `root` once links are resolved, spelled as it is on disk. */
async function findFile(root: string, segments: readonly string[]): Promise<Found | 'folder' | undefined> {
  try {
    const wanted = join(root, ...segments);
    const path = await realpath(wanted);
    if (path !== root && !path.startsWith(root + sep)) return undefined;
    const info = await stat(path);
    if (info.isDirectory()) return 'folder';
    if (!info.isFile()) return undefined;
    const etag = `"${info.size.toString(36)}-${Math.round(info.mtimeMs).toString(36)}`;
    return { path, size: info.size, modified: info.mtime, etag };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A navigation of a browser: what a single-page app answers itself. */
const isNavigation = (request: IncomingMessage, segments: readonly string[]): boolean =>
  /\btext\/html\b/.test(request.headers.accept ?? '') && extname(segments.at(-1) ?? '') === '';

/** Answers a GET or HEAD from the folder of a static site (contract §4). */
export async function serveStatic(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  path: string,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuseWithPage(response, 405, { Allow: 'GET, HEAD' });
    return;
  }
  const root = await realpath(folder).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (root === undefined) {
    refuseWithPage(response, 503);
    return;
  }
  const [pathname = '/', query] = splitQuery(path);
  const segments = segmentsOf(pathname);
  if (!segments) {
    refuseWithPage(response, 404);
    return;
  }
  let file = await findFile(root, segments);
  if (file === 'folder') {
    file = await findFile(root, [...segments, 'index.html']);
    if (file !== undefined && !pathname.endsWith('/')) {
      const target = `/${segments.map(encodeURIComponent).join('/')}/${query === undefined ? '' : `?${query}`}`;
      response.writeHead(301, { Location: target, 'Content-Length': 0 }).end();
      return;
    }
  } else if (file !== undefined && pathname.endsWith('/')) file = undefined;
  if (file === undefined && isNavigation(request, segments)) file = await findFile(root, ['index.html']);
  if (file === undefined || file === 'folder') {
    refuseWithPage(response, 404);
    return;
  }
  await sendFile(request, response, file, await precompressed(request, file));
}

const splitQuery = (path: string): [string, string | undefined] => {
  const mark = path.indexOf('?');
  return mark < 0 ? [path, undefined] : [path.slice(0, mark), path.slice(mark + 1)];
};

/** The best precompressed sibling that the client accepts, and whether there is any at all (`Vary`). */
async function precompressed(request: IncomingMessage, file: Found) {
  const accepted = request.headers['accept-encoding'] ?? '';
  let sibling: { encoding: string; file: Found } | undefined;
  let varies = false;
  for (const { name, suffix } of encodings) {
    const found = await findFile(file.path.slice(0, -basename(file.path).length - 1), [basename(file.path) + suffix]);
    if (found === undefined || found === 'folder') continue;
    varies = true;
    const accepts = new RegExp(`(?:^|,)\\s*${name}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))|,|$)`).test(accepted);
    if (accepts && !sibling && request.headers.range === undefined) sibling = { encoding: name, file: found };
  }
  return { sibling, varies };
}

function isFresh(request: IncomingMessage, etag: string, modified: Date): boolean {
  const noneMatch = request.headers['if-none-match'];
  if (noneMatch !== undefined) {
    return noneMatch === '*' || noneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  }
  const since = request.headers['if-modified-since'];
  return since !== undefined && Math.floor(modified.getTime() / 1000) * 1000 <= Date.parse(since);
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  original: Found,
  { sibling, varies }: Awaited<ReturnType<typeof precompressed>>,
): Promise<void> {
  const file = sibling?.file ?? original;
  const etag = `${file.etag}${sibling ? `-${sibling.encoding}` : ''}"`;
  const headers: Record<string, string | number> = {
    'Content-Type': mediaType(original.path),
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Last-Modified': original.modified.toUTCString(),
    'Cache-Control': HASHED.test(original.path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ...(sibling && { 'Content-Encoding': sibling.encoding }),
    ...(varies && { Vary: 'Accept-Encoding' }),
  };
  if (isFresh(request, etag, original.modified)) {
    response.writeHead(304, headers).end();
    return;
  }
  const { range, 'if-range': condition } = request.headers;
  const ranges = byteRanges(range, condition?.toString(), file.size, etag, original.modified);
  if (ranges === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${file.size}`, 'Content-Length': 0 }).end();
    return;
  }
  const { pieces, length, ...own } = bodyOf(ranges, file.size, mediaType(original.path));
  const start = () => response.writeHead(ranges ? 206 : 200, { ...headers, ...own, 'Content-Length': length });
  if (request.method === 'HEAD' || file.size === 0) start().end();
  else await sendPieces(response, file, pieces, start);
}

/** The whole file, one range of it or several. */
function bodyOf(ranges: ByteRange[] | undefined, size: number, type: string) {
  const [range = { start: 0, end: size - 1 }, ...more] = ranges ?? [];
  if (ranges && more.length > 0) {
    const { pieces, length, mediaType } = multipart(ranges, size, type);
    return { pieces, length, 'Content-Type': mediaType };
  }
  return {
    pieces: [range],
    length: range.end - range.start + 1,
    ...(ranges && { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }),
  };
}
