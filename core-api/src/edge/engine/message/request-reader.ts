import type { Limits } from '../limits';
import type { FailureReason, Fields } from '../types';
import { toFlatCopy } from './flat-copy';
import {
  type HeaderBlock,
  parseHeaderBlock,
  parseRequestLine,
  type RejectionStatus,
  type RequestLine,
} from './request-head';

/** Controls and bare line feeds. A head that contains one is rejected even if it is incomplete. */
const NEVER_IN_HEAD = /[^\t\r\n\x20-\x7e\x80-\xff]|(?:^|[^\r])\n/;

/** Larger header blocks are not cached, because thousands of idle connections would hold them in memory. */
const MAX_CACHED_BYTES = 4 * 1024;

/** A header block and the handler's result for it. */
interface CachedBlock {
  readonly block: HeaderBlock;
  readonly parsedHeaders: unknown;
}

export interface RequestHead extends CachedBlock {
  readonly kind: 'head';
  readonly line: RequestLine;
  /** Offset after the head, and length of the head in bytes. */
  readonly end: number;
  readonly size: number;
}

export interface RejectedHead {
  readonly kind: 'rejected';
  readonly status: number;
  readonly reason: FailureReason;
  /** The received part of the head, Latin-1. */
  readonly text: string;
}

export type ReadResult = RequestHead | RejectedHead | { readonly kind: 'nothing' | 'partial' | 'preface' };

/** Longer input may contain a body, so the end of the head is found before the input is converted to text. */
const MAX_UNSEARCHED_BYTES = 1024;
const END = Buffer.from('\r\n\r\n');
const CR = 13;

/** Decodes at least the head, if it is complete, and at most `maxLength` bytes. */
function decodeHead(bytes: Buffer, maxLength: number): string {
  // Input that begins with line ends is not searched, because they could look like the end of the head.
  const isLong = bytes.length > MAX_UNSEARCHED_BYTES && bytes[0] !== CR;
  const end = isLong ? bytes.indexOf(END) : -1;
  return bytes.toString('latin1', 0, Math.min(end < 0 ? bytes.length : end + END.length, maxLength));
}

const toFailureReason = (status: RejectionStatus | 414): FailureReason => {
  if (status === 405) return 'method';
  if (status === 417) return 'expectation';
  if (status === 414 || status === 431) return 'head_too_large';
  return status === 505 ? 'version' : 'malformed';
};

const reject = (status: RejectionStatus | 414, text: string): RejectedHead => ({
  kind: 'rejected',
  status,
  reason: toFailureReason(status),
  text,
});

/** Reads the request heads of one connection. A block that equals the previous block is not parsed again. */
export class RequestReader {
  private cached: CachedBlock | undefined;

  constructor(
    private readonly limits: Pick<Limits, 'headBytes' | 'headFields'>,
    private readonly parseHeaders: (fields: Fields) => unknown,
  ) {}

  /**
   * @param bytes received since the end of the last request
   * @returns `partial` for an incomplete head, or `nothing` for line ends without a head. The HTTP/2 preface gives
   * `preface`, and gets no response.
   */
  read(bytes: Buffer): ReadResult {
    const { headBytes } = this.limits;
    const text = decodeHead(bytes, headBytes + 1);
    let start = 0;
    // Some clients send an extra line end after a body (RFC 9112 §2.2).
    while (text.startsWith('\r\n', start)) start += 2;
    const unreadBytes = bytes.length - start;
    if (unreadBytes === 0 || (unreadBytes === 1 && bytes[start] === CR)) return { kind: 'nothing' };
    const end = text.indexOf('\r\n\r\n', start);
    if (end >= 0 && end + 4 <= headBytes) return this.readComplete(text, start, end);
    if (text.length > headBytes) return reject(text.indexOf('\r\n', start) < 0 ? 414 : 431, text.slice(start));
    return NEVER_IN_HEAD.test(text) ? reject(400, text.slice(start)) : { kind: 'partial' };
  }

  private readComplete(text: string, start: number, end: number): ReadResult {
    const lineEnd = text.indexOf('\r\n', start);
    const line = parseRequestLine(text.slice(start, lineEnd));
    if (line === 505 && text.startsWith('PRI ', start)) return { kind: 'preface' };
    if (typeof line === 'number') return reject(line, text.slice(start, end));
    const result =
      this.reuseCached(text, lineEnd + 2, end + 2, line) ?? this.parseBlock(text, lineEnd + 2, end + 2, line);
    if (typeof result === 'number') return reject(result, text.slice(start, end));
    const { block, parsedHeaders } = result;
    return { kind: 'head', line, block, parsedHeaders, end: end + 4, size: end + 4 - start };
  }

  /** Avoids parsing a repeated block. @returns the cached block if `text` has the same block between `from` and `to` */
  private reuseCached(
    text: string,
    from: number,
    to: number,
    { minorVersion, authority }: RequestLine,
  ): CachedBlock | undefined {
    const { cached } = this;
    if (!cached || cached.block.minorVersion !== minorVersion || authority !== undefined) return undefined;
    return text.slice(from, to) === cached.block.text ? cached : undefined;
  }

  /** Parses the block between `from` and `to`, and caches it unless it is long or the target has an authority. */
  private parseBlock(text: string, from: number, to: number, line: RequestLine): CachedBlock | RejectionStatus {
    const isCacheable = line.authority === undefined && to - from <= MAX_CACHED_BYTES;
    const slice = text.slice(from, to);
    // The text is copied, because a slice would keep the whole text in memory, including a long target.
    const blockText = isCacheable && text.length > MAX_CACHED_BYTES ? toFlatCopy(slice) : slice;
    const block = parseHeaderBlock(blockText, line, this.limits.headFields, this.cached?.block.lines ?? []);
    if (typeof block !== 'object') return block;
    const cachedBlock = { block, parsedHeaders: this.parseHeaders(block.fields) };
    if (isCacheable) this.cached = cachedBlock;
    return cachedBlock;
  }
}
