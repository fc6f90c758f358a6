import { flat } from './flat';
import { type Block, type RequestLine, readBlock, readRequestLine, type Unreadable } from './request-head';
import type { Fields, Limits, Reason } from './types';

/** What no head can contain, so that it need not be waited for: controls, a line feed alone. */
const NO_HEAD = /[^\t\r\n\x20-\x7e\x80-\xff]|(?:^|[^\r])\n/;

/** Larger header blocks are read each time: thousands of idle connections must not hold theirs, nor long targets. */
const MAX_KEPT_BYTES = 4 * 1024;

/** A header block, and what the handler read in it. */
interface Known<C> {
  readonly block: Block;
  readonly context: C;
}

export interface ReadHead<C> extends Known<C> {
  readonly line: RequestLine;
  /** Where the head ends in its bytes, and how long it is. */
  readonly end: number;
  readonly size: number;
}

export interface RefusedHead {
  readonly status: number;
  readonly reason: Reason;
  /** As far as it came, Latin-1. */
  readonly text: string;
}

/** Where more has come, a body may have come with the head: it is not made into text for nothing. */
const SMALL = 1024;
const END = Buffer.from('\r\n\r\n');
const CR = 13;

/** @returns at least the head if it is whole, else all that has come, `most` characters at most */
function textOfHead(bytes: Buffer, most: number): string {
  const isLong = bytes.length > SMALL && bytes[0] !== CR;
  const end = isLong ? bytes.indexOf(END) : -1;
  return bytes.toString('latin1', 0, Math.min(end < 0 ? bytes.length : end + END.length, most));
}

const reasonOf = (status: Unreadable): Reason => {
  if (status === 405) return 'method';
  if (status === 417) return 'expectation';
  if (status === 431) return 'head_too_large';
  return status === 505 ? 'version' : 'malformed';
};

/** Reads request heads, one after the other; clients repeat their header blocks, which are then read once. */
export class RequestReader<C> {
  private known: Known<C> | undefined;

  constructor(
    private readonly limits: Pick<Limits, 'headBytes' | 'headFields'>,
    private readonly interpret: (fields: Fields) => C,
  ) {}

  /**
   * @param bytes of the connection from the end of the last request on
   * @returns 'preface' for the beginning of HTTP/2, which gets no answer; 'nothing' where no request has begun: it may be half a line end
   */
  read(bytes: Buffer): ReadHead<C> | RefusedHead | 'nothing' | 'partial' | 'preface' {
    const { headBytes } = this.limits;
    const text = textOfHead(bytes, headBytes + 1);
    let start = 0;
    // After a body, some clients send one line end too many (RFC 9112 §2.2).
    while (text.startsWith('\r\n', start)) start += 2;
    const left = bytes.length - start;
    if (left === 0 || (left === 1 && bytes[start] === CR)) return 'nothing';
    const end = text.indexOf('\r\n\r\n', start);
    if (end >= 0 && end + 4 <= headBytes) return this.readWhole(text, start, end);
    if (text.length > headBytes) {
      const status = text.indexOf('\r\n', start) < 0 ? 414 : 431;
      return { status, reason: 'head_too_large', text: text.slice(start) };
    }
    return NO_HEAD.test(text) ? { status: 400, reason: 'malformed', text: text.slice(start) } : 'partial';
  }

  private readWhole(text: string, start: number, end: number): ReadHead<C> | RefusedHead | 'preface' {
    const lineEnd = text.indexOf('\r\n', start);
    const line = readRequestLine(text.slice(start, lineEnd));
    if (line === 'preface') return line;
    const refused = (status: Unreadable) => ({ status, reason: reasonOf(status), text: text.slice(start, end) });
    if (typeof line === 'number') return refused(line);
    const known = this.recognise(text, lineEnd + 2, end + 2, line) ?? this.readBlock(text, lineEnd + 2, end + 2, line);
    if (typeof known === 'number') return refused(known);
    return { line, block: known.block, context: known.context, end: end + 4, size: end + 4 - start };
  }

  /** @param from where the block begins in `text`, @param to where it ends */
  private recognise(text: string, from: number, to: number, { minor, authority }: RequestLine): Known<C> | undefined {
    const { known } = this;
    if (!known || known.block.minor !== minor || authority !== undefined) return undefined;
    return text.slice(from, to) === known.block.text ? known : undefined;
  }

  /** @param from where the block begins in `text`, @param to where it ends */
  private readBlock(text: string, from: number, to: number, line: RequestLine): Known<C> | Unreadable {
    const isKept = line.authority === undefined && to - from <= MAX_KEPT_BYTES;
    const said = text.slice(from, to);
    // A slice keeps all that it is of: beside a long target the block needs a text of its own.
    const own = isKept && text.length > MAX_KEPT_BYTES ? flat(said) : said;
    const block = readBlock(own, line, this.limits.headFields, this.known?.block.lines ?? []);
    if (typeof block !== 'object') return block;
    const read = { block, context: this.interpret(block.fields) };
    if (isKept) this.known = read;
    return read;
  }
}
