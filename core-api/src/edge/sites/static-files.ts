import { extname } from 'node:path';
import type { Answer, Fields } from '../http1/types';
import { type ByteRange, byteRanges } from './byte-ranges';
import { fileBody, multipart } from './file-body';
import { FileCache, type Found } from './file-cache';
import { parseHttpDate } from './http-date';
import type { Encoding, Resource, Variant } from './resource';
import { FileChanged } from './served-file';

/** What of a request decides which bytes are sent. */
interface FileRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly fields: Fields;
}

/**
 * The status alone where no file is sent: 404, 405, 412 for one that is not what the client means, or 503 for a site whose
 * folder is missing or forbidden.
 */
export type Served = Answer | 404 | 405 | 412 | 503;

/** Where a request's path leads below a site's folder. */
interface Place {
  readonly folder: string;
  readonly segments: readonly string[];
  readonly endsWithSlash: boolean;
  /** With its question mark. */
  readonly query: string;
}

const ACCEPTS: Record<Encoding, RegExp> = {
  br: /(?:^|,)\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/,
  gzip: /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/,
};
const INDEX = 'index.html';

const after = <Value, Next>(value: Value | Promise<Value>, next: (value: Value) => Next | Promise<Next>) =>
  value instanceof Promise ? value.then(next) : next(value);

function headerOf({ fields }: FileRequest, name: string): string | undefined {
  let found: string | undefined;
  for (const field of fields) {
    if (field.name === name) found = found === undefined ? field.value : `${found}, ${field.value}`;
  }
  return found;
}

/** Decoded segments of a path; nothing for one that leads astray (dot files but `.well-known`, `..`, NUL, backslash). */
function segmentsOf(path: string): string[] | undefined {
  let decoded = path;
  if (path.includes('%')) {
    if (/%2f|%5c/i.test(path)) return undefined;
    try {
      decoded = decodeURIComponent(path);
    } catch (error) {
      if (error instanceof URIError) return undefined;
      throw error;
    }
  }
  if (/[\0\\]/.test(decoded)) return undefined;
  const segments = decoded.split('/').filter((segment) => segment !== '');
  const hidden = segments.some(
    (segment, index) => segment.startsWith('.') && !(index === 0 && segment === '.well-known'),
  );
  return hidden ? undefined : segments;
}

function placeOf(folder: string, target: string): Place | undefined {
  const mark = target.indexOf('?');
  const pathname = mark < 0 ? target : target.slice(0, mark);
  const segments = segmentsOf(pathname);
  return (
    segments && { folder, segments, endsWithSlash: pathname.endsWith('/'), query: mark < 0 ? '' : target.slice(mark) }
  );
}

/** A navigation of a browser: what a single-page app answers itself. */
const isNavigation = (request: FileRequest, { segments }: Place): boolean =>
  /\btext\/html\b/.test(headerOf(request, 'accept') ?? '') && extname(segments.at(-1) ?? '') === '';

const answer = (status: number, lines: string, body?: Answer['body']): Answer => ({
  action: 'answer',
  status,
  lines,
  body,
});

/** Defined for GET alone (RFC 9110 §14.2). */
const rangeOf = (request: FileRequest): string | undefined =>
  request.method === 'GET' ? headerOf(request, 'range') : undefined;

/** The best precompressed sibling that the client accepts; ranges are those of the file itself. */
function chosen(request: FileRequest, { original, compressed }: Resource): Variant {
  if (compressed.length === 0 || rangeOf(request) !== undefined) return original;
  const accepted = headerOf(request, 'accept-encoding') ?? '';
  return compressed.find(({ encoding }) => encoding && ACCEPTS[encoding].test(accepted)) ?? original;
}

/** `Last-Modified` knows no parts of a second. */
const changedAfter = ({ file }: Variant, date: string): boolean =>
  Math.floor(file.modified.getTime() / 1000) * 1000 > parseHttpDate(date);

/** Whether the file is not the one that the client means; a weak tag is none of its (RFC 9110 §13.1.1, §13.1.4). */
function isAnother(request: FileRequest, variant: Variant): boolean {
  const match = headerOf(request, 'if-match');
  if (match !== undefined) return match !== '*' && !match.split(',').some((tag) => tag.trim() === variant.etag);
  const since = headerOf(request, 'if-unmodified-since');
  return since !== undefined && changedAfter(variant, since);
}

function isFresh(request: FileRequest, variant: Variant): boolean {
  const noneMatch = headerOf(request, 'if-none-match');
  if (noneMatch !== undefined) {
    return noneMatch === '*' || noneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === variant.etag);
  }
  const since = headerOf(request, 'if-modified-since');
  return since !== undefined && !Number.isNaN(parseHttpDate(since)) && !changedAfter(variant, since);
}

/** Answers GET and HEAD from the folders of static sites (contract §4). */
export class StaticFiles {
  private readonly files: FileCache;

  /** @param mayServe whether a file may be served, by its path without links */
  constructor(mayServe: (real: string) => boolean) {
    this.files = new FileCache(mayServe);
  }

  serve(request: FileRequest, folder: string): Served | Promise<Served> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return 405;
    const place = placeOf(folder, request.target);
    return place ? this.serveAt(request, place, 0) : 404;
  }

  /** @param turn how often the file had changed before it could be read */
  private serveAt(request: FileRequest, place: Place, turn: number): Served | Promise<Served> {
    const { folder, segments, endsWithSlash, query } = place;
    const answered = (found: Found): Served | Promise<Served> => {
      if (found === 'closed') return 503;
      return typeof found === 'object' ? this.answerFrom(request, found, place, turn) : 404;
    };
    const orIndex = (found: Found) =>
      found === undefined && isNavigation(request, place)
        ? after(this.files.find(folder, [INDEX]), answered)
        : answered(found);
    return after(this.files.find(folder, segments), (found) => {
      if (found !== 'folder') return orIndex(endsWithSlash && found !== 'closed' ? undefined : found);
      return after(this.files.find(folder, [...segments, INDEX]), (index) => {
        if (index === undefined || endsWithSlash) return orIndex(index);
        return answer(301, `Location: /${segments.map(encodeURIComponent).join('/')}/${query}\r\n`);
      });
    });
  }

  private answerFrom(request: FileRequest, resource: Resource, place: Place, turn: number): Served | Promise<Served> {
    const variant = chosen(request, resource);
    const { file, type, etag, lines } = variant;
    const { size } = file;
    const typed = `Content-Type: ${type}\r\n${lines}`;
    if (isAnother(request, variant)) return 412;
    if (isFresh(request, variant)) return answer(304, typed);
    const range = rangeOf(request);
    const ranges = range === undefined ? undefined : byteRanges(range, headerOf(request, 'if-range'), size, etag);
    if (ranges === 'unsatisfiable') return answer(416, `Content-Range: bytes */${size}\r\n`);
    const status = ranges ? 206 : 200;
    if (size === 0) return answer(200, typed);
    if (file.bytes && !ranges) return answer(status, typed, file.bytes);
    file.take();
    const send = () => sent(variant, ranges);
    if (file.bytes) return send();
    return file.load().then(send, (error: unknown) => {
      // One that never stands still breaks off while it is sent.
      if (error instanceof FileChanged && turn > 0) return send();
      file.release();
      if (!(error instanceof FileChanged)) throw error;
      this.files.forget(resource);
      return this.serveAt(request, place, turn + 1);
    });
  }
}

/** The whole file, one range of it or several. @param variant its file was taken, and is released with the body */
function sent({ file, type, lines }: Variant, ranges: readonly ByteRange[] | undefined): Answer {
  const { size } = file;
  const [range = { start: 0, end: size - 1 }, ...more] = ranges ?? [];
  if (ranges && more.length > 0) {
    const { pieces, mediaType } = multipart(ranges, size, type);
    return answer(206, `Content-Type: ${mediaType}\r\n${lines}`, fileBody(file, pieces));
  }
  const body = fileBody(file, [range]);
  if (!ranges) return answer(200, `Content-Type: ${type}\r\n${lines}`, body);
  return answer(
    206,
    `Content-Type: ${type}\r\n${lines}Content-Range: bytes ${range.start}-${range.end}/${size}\r\n`,
    body,
  );
}
