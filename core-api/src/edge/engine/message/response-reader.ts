import type { HeaderRewrite } from '../types';
import { ChunkedDecoder } from './chunked-decoder';
import type { ResponseHead } from './response-head';
import { ResponseHeadCache } from './response-head-cache';

/** Responses up to this size are forwarded as one string, with one write and no copy in JavaScript. */
const MAX_STRING_BYTES = 15_000;
const PREFIX = 'HTTP/1.';
/** Limit of interim (1xx) responses. They are not forwarded, so the client's back-pressure cannot stop them. */
const MAX_INTERIM = 100;

/** Properties of a request that determine how its response is read. */
export interface ExpectedResponse {
  readonly isHeadRequest: boolean;
  readonly isWebSocketUpgrade: boolean;
  readonly rewriteHeader: HeaderRewrite | undefined;
}

/** Callbacks for the parts of a response. Bytes are borrowed until the call returns. */
export interface ResponseSink {
  /** Called for a complete response with a known length, as Latin-1 text. @param isClean true if no byte followed */
  onWholeResponse(head: ResponseHead, body: string, isClean: boolean): void;
  /** @param hasBody false if no body follows, even if the head announces one */
  onHeaders(head: ResponseHead, hasBody: boolean): void;
  onData(bytes: Buffer): void;
  /** Called after all bytes of one read were passed on. */
  onReadEnd(): void;
  /** @param bytes the last piece. @param trailers lines, each with its CRLF */
  onComplete(head: ResponseHead, bytes: Buffer | undefined, trailers: string, isClean: boolean): void;
  /** Called for a 101 to an upgrade request. @param firstBytes bytes that followed the head */
  onUpgrade(head: ResponseHead, firstBytes: Buffer): void;
  onMalformed(): void;
}

const isInterim = ({ status }: ResponseHead): boolean => status < 200 && status !== 101;

function mayBecomeHead(text: string): boolean {
  const startsLikeHead = text.length < PREFIX.length ? PREFIX.startsWith(text) : text.startsWith(PREFIX);
  return startsLikeHead && !/(?:^|[^\r])\n/.test(text);
}

export class ResponseReader {
  private expected: ExpectedResponse | undefined;
  private partialHead: Buffer | undefined;
  private head: ResponseHead | undefined;
  /** Number of interim responses to the current request. */
  private interimCount = 0;
  /** Bytes of the body that have not arrived yet; infinite for chunked and close-delimited bodies. */
  private remainingBytes = 0;
  private chunkedDecoder: ChunkedDecoder | undefined;
  private readonly headCache = new ResponseHeadCache();

  constructor(
    private readonly maxHeadBytes: number,
    private readonly sink: ResponseSink,
  ) {}

  begin(expected: ExpectedResponse): void {
    this.expected = expected;
    this.interimCount = 0;
    this.head = undefined;
    this.chunkedDecoder = undefined;
    this.partialHead = undefined;
  }

  /** Returns whether the end of the connection is the end of the current body. */
  get endsWithConnection(): boolean {
    return this.head?.framing === 'close';
  }

  /** @param bytes modified, because chunks are decoded in place */
  read(bytes: Buffer): void {
    const { expected } = this;
    if (!expected) this.sink.onMalformed();
    else if (this.head) {
      this.readBody(bytes, 0);
      this.sink.onReadEnd();
    } else this.readHead(expected, this.partialHead ? Buffer.concat([this.partialHead, bytes]) : bytes);
  }

  private readHead(expected: ExpectedResponse, buffer: Buffer): void {
    const text = buffer.length <= MAX_STRING_BYTES ? buffer.toString('latin1') : undefined;
    let start = 0;
    let head: ResponseHead | undefined;
    do {
      const end = text === undefined ? buffer.indexOf('\r\n\r\n', start, 'latin1') : text.indexOf('\r\n\r\n', start);
      if (end < 0 || end - start > this.maxHeadBytes) {
        this.keepPartialHead(Buffer.from(buffer.subarray(start)));
        return;
      }
      const headText = text?.slice(start, end) ?? buffer.toString('latin1', start, end);
      head = this.headCache.parse(headText, expected.rewriteHeader);
      start = end + 4;
      if (!head || !this.accepts(head, expected)) {
        this.sink.onMalformed();
        return;
      }
    } while (isInterim(head));
    this.partialHead = undefined;
    if (head.status === 101) this.sink.onUpgrade(head, buffer.subarray(start));
    else this.startBody(expected, head, buffer, start, text);
  }

  /** Checks a head and counts interim responses, which must keep the connection open for the final response. */
  private accepts(head: ResponseHead, { isWebSocketUpgrade }: ExpectedResponse): boolean {
    if (head.status === 101) return isWebSocketUpgrade && head.isWebSocket;
    if (!isInterim(head)) return true;
    this.interimCount += 1;
    return head.isPersistent && this.interimCount <= MAX_INTERIM;
  }

  private keepPartialHead(bytes: Buffer): void {
    this.partialHead = bytes;
    if (bytes.length >= this.maxHeadBytes || !mayBecomeHead(bytes.toString('latin1'))) this.sink.onMalformed();
  }

  private startBody(
    { isHeadRequest }: ExpectedResponse,
    head: ResponseHead,
    buffer: Buffer,
    start: number,
    text: string | undefined,
  ): void {
    const hasBody = !isHeadRequest && head.status !== 204 && head.status !== 304;
    const framedLength = typeof head.framing === 'number' ? head.framing : Number.POSITIVE_INFINITY;
    const length = hasBody ? framedLength : 0;
    const bodyBytes = buffer.length - start;
    if (bodyBytes > length && hasBody) {
      this.sink.onMalformed();
      return;
    }
    if (text !== undefined && bodyBytes >= length) {
      this.expected = undefined;
      // If bytes follow a response without a body, they belong to no request, and `isClean` is false.
      this.sink.onWholeResponse(head, hasBody ? text.slice(start) : '', bodyBytes === length);
      return;
    }
    this.head = head;
    this.remainingBytes = length;
    this.chunkedDecoder = hasBody && head.framing === 'chunked' ? new ChunkedDecoder() : undefined;
    this.sink.onHeaders(head, hasBody);
    if (hasBody) this.readBody(buffer, start);
    else this.finish(undefined, bodyBytes === 0);
    this.sink.onReadEnd();
  }

  private readBody(bytes: Buffer, start: number): void {
    let [contentEnd, isEnded] = [bytes.length, false];
    if (this.chunkedDecoder) {
      const end = this.chunkedDecoder.read(bytes, start);
      ({ contentEnd, isEnded } = this.chunkedDecoder);
      // A chunk is malformed, or bytes follow the last chunk. Those bytes belong to no request.
      if (end !== bytes.length) {
        this.sink.onMalformed();
        return;
      }
    } else {
      this.remainingBytes -= bytes.length - start;
      if (this.remainingBytes < 0) {
        this.sink.onMalformed();
        return;
      }
      isEnded = this.remainingBytes === 0;
    }
    const content = contentEnd > start ? bytes.subarray(start, contentEnd) : undefined;
    if (isEnded) this.finish(content, true);
    else if (content) this.sink.onData(content);
  }

  /** Ends the current body. @param content its last piece */
  finish(content: Buffer | undefined, isClean: boolean): void {
    const { head } = this;
    const trailers = this.chunkedDecoder?.trailers ?? '';
    this.expected = undefined;
    this.head = undefined;
    if (head) this.sink.onComplete(head, content, trailers, isClean);
  }
}
