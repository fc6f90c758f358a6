import { type AnswerHead, readAnswerHead } from './answer-head';
import { Chunks } from './chunks';
import { flat } from './flat';
import type { AnswerEdit } from './types';

/** Answers up to this size are handed on as one string: one write, no copies in JavaScript. */
const SMALL = 15_000;
const PREFIX = 'HTTP/1.';
/** No client holds back an upstream that sends nothing but interim answers. */
const MAX_INTERIM = 100;

/** What must be known of a request to read its answer. */
export interface Asked {
  readonly isHead: boolean;
  readonly asksForWebSocket: boolean;
  readonly edit: AnswerEdit | undefined;
}

/** Who gets what is read. Bytes are lent until the call returns. */
export interface AnswerSink {
  /** A complete answer with a body of known length, as Latin-1 text. @param isClean nothing followed it */
  whole(head: AnswerHead, body: string, isClean: boolean): void;
  /** @param bodyless there is no body, whatever the head says */
  begun(head: AnswerHead, bodyless: boolean): void;
  piece(bytes: Buffer): void;
  /** All that has been read so far was handed on. */
  flush(): void;
  /** @param bytes the last piece. @param trailers lines, each with its CRLF */
  complete(bytes: Buffer | undefined, trailers: string, isClean: boolean): void;
  /** A 101 that was asked for. @param first bytes that came with it */
  switched(head: AnswerHead, first: Buffer): void;
  malformed(): void;
}

/** Whether bytes without the empty line yet may be the beginning of a head. */
function mayBecomeHead(text: string): boolean {
  const begins = text.length < PREFIX.length ? PREFIX.startsWith(text) : text.startsWith(PREFIX);
  return begins && !/(?:^|[^\r])\n/.test(text);
}

/** Reads the answers of one connection, one after the other. */
export class AnswerReader {
  private asked: Asked | undefined;
  private partial: Buffer | undefined;
  private head: AnswerHead | undefined;
  /** Interim answers to the present request. */
  private interim = 0;
  /** Bytes of the body that have not come; infinite where its end is found otherwise. */
  private left = 0;
  private chunks: Chunks | undefined;
  /** The last head: upstreams repeat themselves. */
  private knownText = '';
  private knownEdit: AnswerEdit | undefined;
  private knownHead: AnswerHead | undefined;
  private isRepeated = false;

  constructor(
    private readonly mostHeadBytes: number,
    private readonly sink: AnswerSink,
  ) {}

  begin(asked: Asked): void {
    this.asked = asked;
    this.interim = 0;
    this.head = undefined;
    this.chunks = undefined;
    this.partial = undefined;
  }

  /** The end of the connection is the end of the present body. */
  get endsWithConnection(): boolean {
    return this.head?.framing === 'close';
  }

  /** @param bytes may be changed */
  read(bytes: Buffer): void {
    const { asked } = this;
    if (!asked) this.sink.malformed();
    else if (this.head) {
      this.readBody(bytes, 0);
      this.sink.flush();
    } else this.readHead(asked, this.partial ? Buffer.concat([this.partial, bytes]) : bytes);
  }

  private readHead(asked: Asked, buffer: Buffer): void {
    const text = buffer.length <= SMALL ? buffer.toString('latin1') : undefined;
    let start = 0;
    let head: AnswerHead | undefined;
    do {
      const end = text === undefined ? buffer.indexOf('\r\n\r\n', start, 'latin1') : text.indexOf('\r\n\r\n', start);
      if (end < 0 || end - start > this.mostHeadBytes) {
        this.keep(Buffer.from(buffer.subarray(start)));
        return;
      }
      head =
        this.recognise(text, start, end, asked.edit) ??
        this.readAnew(text?.slice(start, end) ?? buffer.toString('latin1', start, end), asked.edit);
      start = end + 4;
      // After an interim answer the same connection must go on.
      const isInterim = head !== undefined && head.status < 200 && head.status !== 101;
      const isUnasked = head?.status === 101 && !(asked.asksForWebSocket && head.isWebSocket);
      if (isInterim) this.interim += 1;
      if (!head || isUnasked || (isInterim && !head.persistent) || this.interim > MAX_INTERIM) {
        this.sink.malformed();
        return;
      }
    } while (head.status < 200 && head.status !== 101);
    this.partial = undefined;
    if (head.status === 101) this.sink.switched(head, buffer.subarray(start));
    else this.begun(asked, head, buffer, start, text);
  }

  private keep(rest: Buffer): void {
    this.partial = rest;
    if (rest.length >= this.mostHeadBytes || !mayBecomeHead(rest.toString('latin1'))) this.sink.malformed();
  }

  /** @returns the last head, where it stands again between `start` and `end` of `text` */
  private recognise(text: string | undefined, start: number, end: number, edit: AnswerEdit | undefined) {
    const { knownText } = this;
    if (text === undefined || !this.knownHead || edit !== this.knownEdit) return undefined;
    if (text.slice(start, end) !== knownText) return undefined;
    if (!this.isRepeated) {
      this.isRepeated = true;
      this.knownText = flat(knownText);
      this.knownHead = { ...this.knownHead, lines: flat(this.knownHead.lines) };
    }
    return this.knownHead;
  }

  private readAnew(text: string, edit: AnswerEdit | undefined): AnswerHead | undefined {
    this.knownHead = readAnswerHead(text, edit);
    this.knownText = text;
    this.knownEdit = edit;
    this.isRepeated = false;
    return this.knownHead;
  }

  /** The final answer's head has been read. */
  private begun({ isHead }: Asked, head: AnswerHead, buffer: Buffer, start: number, text: string | undefined): void {
    const bodyless = isHead || head.status === 204 || head.status === 304;
    const length = bodyless ? 0 : typeof head.framing === 'number' ? head.framing : Number.POSITIVE_INFINITY;
    const here = buffer.length - start;
    if (here > length && !bodyless) {
      this.sink.malformed();
      return;
    }
    if (text !== undefined && here >= length) {
      this.asked = undefined;
      // What follows an answer without a body is nobody's.
      this.sink.whole(head, bodyless ? '' : text.slice(start), here === length);
      return;
    }
    this.head = head;
    this.left = length;
    this.chunks = !bodyless && head.framing === 'chunked' ? new Chunks() : undefined;
    this.sink.begun(head, bodyless);
    if (bodyless) this.finish(undefined, here === 0);
    else this.readBody(buffer, start);
    this.sink.flush();
  }

  private readBody(bytes: Buffer, start: number): void {
    let [contentEnd, isEnded] = [bytes.length, false];
    if (this.chunks) {
      const end = this.chunks.read(bytes, start);
      contentEnd = this.chunks.contentEnd;
      if (end === 'bad' || (typeof end === 'number' && end < bytes.length)) {
        this.sink.malformed();
        return;
      }
      isEnded = end !== 'more';
    } else {
      this.left -= bytes.length - start;
      if (this.left < 0) {
        this.sink.malformed();
        return;
      }
      isEnded = this.left === 0;
    }
    const content = contentEnd > start ? bytes.subarray(start, contentEnd) : undefined;
    if (isEnded) this.finish(content, true);
    else if (content) this.sink.piece(content);
  }

  private finish(content: Buffer | undefined, isClean: boolean): void {
    const trailers = this.chunks?.trailers ?? '';
    this.asked = undefined;
    this.head = undefined;
    this.sink.complete(content, trailers, isClean);
  }
}
