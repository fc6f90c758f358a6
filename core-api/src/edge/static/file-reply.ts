import type { ContentEncoding } from '../../routing/sites/manifest';
import type { Fields, LocalReply } from '../engine/types';
import { type ByteRange, selectRanges } from './byte-ranges';
import { createFileBody, createMultipart } from './file-body';
import type { Resource, Variant } from './resource';
import { FileChangedError, type SharedFile } from './shared-file';

const DAY = '[A-Z][a-z]{2}';
const TIME = '(?<time>\\d\\d:\\d\\d:\\d\\d)';
const MONTH = '(?<month>[A-Z][a-z]{2})';
const DATE_FORMATS = [
  `${DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `${DAY}[a-z]{3,6}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT`,
  // The asctime format has no time zone and means GMT.
  `${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((format) => new RegExp(`^${format}$`));
/** A two-digit year that would be over this many years ahead belongs to the past century (RFC 9110 §5.6.7). */
const MAX_YEARS_AHEAD = 50;

/**
 * Parses a date in one of the three formats of HTTP (RFC 9110 §5.6.7). `Date.parse` is too lenient, because it reads
 * "foo 1" as a day in 2001.
 * @returns ms since the epoch, or `NaN` for any other text
 */
function parseHttpDate(text: string): number {
  for (const format of DATE_FORMATS) {
    const { day, month, year, time } = format.exec(text)?.groups ?? {};
    if (year !== undefined) return Date.parse(`${day} ${month} ${toFullYear(year)} ${time} GMT`);
  }
  return Number.NaN;
}

function toFullYear(year: string): number {
  if (year.length === 4) return Number(year);
  const now = new Date().getUTCFullYear();
  const full = now - (now % 100) + Number(year);
  return full > now + MAX_YEARS_AHEAD ? full - 100 : full;
}

/** The properties of a request that determine which bytes of a file are sent. */
export interface FileRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly fields: Fields;
}

/** A reply, or the status of a refusal: 412 if a precondition fails, 503 if a site's files are missing or forbidden. */
export type FileReply = LocalReply | 404 | 405 | 412 | 503;

export interface FileReplyHead {
  /** A 404 ignores conditions and ranges, which apply only to a success (RFC 9110 §13.2.1). */
  readonly status: 200 | 404;
  /** Value of `Content-Type`, by default the type of the file. */
  readonly type?: string;
  /** More header lines, each with its CRLF. */
  readonly lines?: string;
}

/** Match an `Accept-Encoding` that lists the encoding without `q=0`. */
const ACCEPTS_ENCODING: Record<ContentEncoding, RegExp> = {
  br: /(?:^|,)\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/,
  gzip: /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/,
};

/** Returns the values of a field joined by commas, or undefined without the field. */
export function joinHeaderValues({ fields }: Pick<FileRequest, 'fields'>, name: string): string | undefined {
  let value: string | undefined;
  for (const field of fields) {
    if (field.name === name) value = value === undefined ? field.value : `${value}, ${field.value}`;
  }
  return value;
}

export const createReply = (status: number, lines: string, body?: LocalReply['body']): LocalReply => ({
  action: 'reply',
  status,
  headerLines: lines,
  body,
});

/** Value of `Range`, which is defined for GET only (RFC 9110 §14.2). */
const getRange = (request: FileRequest): string | undefined =>
  request.method === 'GET' ? joinHeaderValues(request, 'range') : undefined;

/** Selects the best precompressed copy that the client accepts. Ranges apply to the original file only. */
function selectVariant(request: FileRequest, { original, compressed }: Resource, status: number): Variant {
  if (compressed.length === 0 || (status === 200 && getRange(request) !== undefined)) return original;
  const accepted = joinHeaderValues(request, 'accept-encoding') ?? '';
  return compressed.find(({ encoding }) => encoding && ACCEPTS_ENCODING[encoding].test(accepted)) ?? original;
}

/** Compares whole seconds, because HTTP dates have no fractions. */
const isChangedAfter = (modified: Date, date: string): boolean =>
  Math.floor(modified.getTime() / 1000) * 1000 > parseHttpDate(date);

/**
 * Returns whether a precondition fails because the client has another version of the file. A weak tag never matches
 * (RFC 9110 §13.1.1, §13.1.4).
 */
function failsPrecondition(request: FileRequest, { etag, modified }: Variant): boolean {
  const match = joinHeaderValues(request, 'if-match');
  if (match !== undefined) return match !== '*' && !match.split(',').some((tag) => tag.trim() === etag);
  const since = joinHeaderValues(request, 'if-unmodified-since');
  return since !== undefined && modified !== undefined && isChangedAfter(modified, since);
}

function isNotModified(request: FileRequest, { etag, modified }: Variant): boolean {
  const noneMatch = joinHeaderValues(request, 'if-none-match');
  if (noneMatch !== undefined) {
    return noneMatch === '*' || noneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  }
  const since = joinHeaderValues(request, 'if-modified-since');
  if (since === undefined || modified === undefined) return false;
  return !Number.isNaN(parseHttpDate(since)) && !isChangedAfter(modified, since);
}

/** Chooses the reply to a GET or HEAD of an existing file: a status without the file, the whole file, or its ranges. */
function chooseFileReply(request: FileRequest, variant: Variant): 304 | 412 | 416 | 'whole' | readonly ByteRange[] {
  if (failsPrecondition(request, variant)) return 412;
  if (isNotModified(request, variant)) return 304;
  const range = getRange(request);
  if (range === undefined) return 'whole';
  return selectRanges(range, joinHeaderValues(request, 'if-range'), variant.file.size, variant.etag);
}

/**
 * Replies to GET and HEAD with a file, and applies the conditions, encodings and ranges of the request.
 * @param resource must be used immediately after its look-up, because it may be closed later
 * @param onChange called if the file has changed since it was opened; without `onChange`, the body ends early
 */
export function replyWithFile(
  request: FileRequest,
  resource: Resource,
  { status, type: givenType, lines: addedLines = '' }: FileReplyHead,
  onChange?: () => FileReply | Promise<FileReply>,
): FileReply | Promise<FileReply> {
  const variant = selectVariant(request, resource, status);
  const type = givenType ?? variant.type;
  const lines = variant.lines + addedLines;
  const choice = status === 200 ? chooseFileReply(request, variant) : 'whole';
  if (choice === 412) return 412;
  if (choice === 304) return createReply(304, `Content-Type: ${type}\r\n${lines}`);
  if (choice === 416) return createReply(416, `Content-Range: bytes */${variant.file.size}\r\n`);
  return sendFile(variant.file, choice === 'whole' ? undefined : choice, { status, type, lines }, onChange);
}

function sendFile(
  file: SharedFile,
  ranges: readonly ByteRange[] | undefined,
  head: Required<FileReplyHead>,
  onChange: (() => FileReply | Promise<FileReply>) | undefined,
): FileReply | Promise<FileReply> {
  if (!ranges && (file.size === 0 || file.bytes))
    return createReply(head.status, `Content-Type: ${head.type}\r\n${head.lines}`, file.bytes);
  file.retain();
  const send = () => replyWithContent(file, ranges, head);
  if (file.bytes) return send();
  return file.load().then(send, (error: unknown) => {
    const isChanged = error instanceof FileChangedError;
    if (isChanged && !onChange) return send();
    file.release();
    if (isChanged && onChange) return onChange();
    throw error;
  });
}

/** Replies with the complete file or with its ranges. The caller has retained the file, and the body releases it. */
function replyWithContent(
  file: SharedFile,
  ranges: readonly ByteRange[] | undefined,
  { status, type, lines }: Required<FileReplyHead>,
): LocalReply {
  const { size } = file;
  const [range = { start: 0, end: size - 1 }, ...otherRanges] = ranges ?? [];
  if (ranges && otherRanges.length > 0) {
    const { pieces, mediaType } = createMultipart(ranges, size, type);
    return createReply(206, `Content-Type: ${mediaType}\r\n${lines}`, createFileBody(file, pieces));
  }
  const body = createFileBody(file, [range]);
  if (!ranges) return createReply(status, `Content-Type: ${type}\r\n${lines}`, body);
  return createReply(
    206,
    `Content-Type: ${type}\r\n${lines}Content-Range: bytes ${range.start}-${range.end}/${size}\r\n`,
    body,
  );
}
