import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { refuseWithPage } from '../answers';
import { byteRange } from './byte-range';
import { mediaType } from './media-types';

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
  const range = byteRange(
    request.headers.range,
    request.headers['if-range']?.toString(),
    file.size,
    etag,
    original.modified,
  );
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${file.size}`, 'Content-Length': 0 }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  if (range) headers['Content-Range'] = `bytes ${start}-${end}/${file.size}`;
  headers['Content-Length'] = end - start + 1;
  if (request.method === 'HEAD' || end < start) {
    response.writeHead(range ? 206 : 200, headers).end();
    return;
  }
  const handle = await open(file.path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    response.writeHead(range ? 206 : 200, headers);
    await sendBytes(handle, response, file, start, end);
  } finally {
    await handle.close();
  }
}

/** A file that was changed while it was sent breaks the connection: nobody keeps a mixture for the whole. */
async function sendBytes(handle: FileHandle, response: ServerResponse, file: Found, start: number, end: number) {
  const source = handle.createReadStream({ start, end, autoClose: false });
  try {
    await pipeline(source, response, { end: false });
    const after = await handle.stat();
    if (source.bytesRead !== end - start + 1 || after.mtime.getTime() !== file.modified.getTime()) response.destroy();
    else response.end();
  } catch (error) {
    response.destroy();
    const gone =
      error instanceof Error &&
      'code' in error &&
      /^(ERR_STREAM_PREMATURE_CLOSE|EPIPE|ECONNRESET)$/.test(String(error.code));
    if (!gone) throw error;
  }
}
