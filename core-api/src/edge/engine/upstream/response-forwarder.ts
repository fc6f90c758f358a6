import type { Downstream } from '../client/downstream';
import { parseFields, unforwardedInRequests } from '../message/header-fields';
import type { HeaderBlock } from '../message/request-head';
import type { ResponseHead } from '../message/response-head';
import type { Forward } from '../types';

/** Trailers that would change authentication, content or caching (RFC 9110 §6.5.1). Framing fields are dropped too. */
const FORBIDDEN_TRAILERS = new Set([
  'age',
  'authorization',
  'cache-control',
  'content-encoding',
  'content-range',
  'content-type',
  'date',
  'expires',
  'location',
  'retry-after',
  'set-cookie',
  'vary',
  'www-authenticate',
]);

/** Writes one streamed response to the client, in chunks if its length is unknown and the client has HTTP/1.1. */
export class ResponseForwarder {
  private readonly isChunked: boolean;
  /** The response head until it is written together with the first bytes of the body; '' afterwards. */
  private unsentHead: string;

  /** @param hasBody false if no body follows, even if the head announces one */
  constructor(
    private readonly downstream: Downstream,
    block: HeaderBlock,
    private readonly forward: Forward,
    head: ResponseHead,
    hasBody: boolean,
  ) {
    const hasUnknownLength = hasBody && typeof head.framing !== 'number';
    this.isChunked = hasUnknownLength && block.minorVersion === 1;
    const framing = this.isChunked ? 'Transfer-Encoding: chunked\r\n' : '';
    const trailerLines = this.isChunked ? head.trailerLines : '';
    const endsWithConnection = hasUnknownLength && !this.isChunked;
    const lastLines = downstream.createFinalHeaderLines({ hasDate: head.hasDate, endsWithConnection });
    this.unsentHead = `${head.headerLines}${framing}${trailerLines}${forward.responseLines}${lastLines}\r\n`;
  }

  /** Returns whether no byte of this response has been written to the client yet. */
  get isHeadUnsent(): boolean {
    return this.unsentHead !== '';
  }

  /** Writes a piece of the body, after the head if it is unsent. @returns false when the client reads too slowly */
  writeBody(bytes: Buffer): boolean {
    return this.isChunked ? this.write(`${bytes.length.toString(16)}\r\n`, bytes, '\r\n') : this.write('', bytes, '');
  }

  /** Writes the head, unless it was written together with the first piece of the body. */
  flush(): void {
    if (this.isHeadUnsent) this.write('', undefined, '');
  }

  /** Writes the last piece of the body and the trailers. @param trailers lines, each with its CRLF */
  end(bytes: Buffer | undefined, trailers: string): void {
    if (this.isChunked) {
      const lastChunk = `0\r\n${this.filterTrailers(trailers)}\r\n`;
      if (bytes) this.write(`${bytes.length.toString(16)}\r\n`, bytes, `\r\n${lastChunk}`);
      else this.write(lastChunk, undefined, '');
    } else if (bytes || this.isHeadUnsent) this.write('', bytes, '');
  }

  /** Clients without `TE: trailers` get trailers too, because a recipient may ignore trailers (RFC 9110 §6.5). */
  private filterTrailers(trailers: string): string {
    let lines = '';
    for (const { name, value, line, isForwarded } of parseFields(trailers, unforwardedInRequests) ?? []) {
      if (isForwarded && !FORBIDDEN_TRAILERS.has(name))
        lines += this.forward.rewriteHeader ? this.forward.rewriteHeader(name, value, line) : line;
    }
    return lines;
  }

  /** Writes the unsent head together with these bytes in one call. */
  private write(before: string, bytes: Buffer | undefined, after: string): boolean {
    const { output } = this.downstream;
    const start = this.unsentHead + before;
    this.unsentHead = '';
    return bytes ? output.writeBorrowed(start, bytes, after) : output.write(start + after);
  }
}
