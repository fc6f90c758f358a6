import type { Socket } from 'node:net';
import type { RequestBody } from '../message/request-body';
import type { ReadResult, RequestReader } from '../message/request-reader';
import type { ClientTimeouts } from './client-timeouts';

const MAX_PIPELINED_BYTES = 64 * 1024;
const CR = 13;

/** Buffers the unread bytes of one client connection, and reads heads and bodies from them. */
export class ClientInput {
  hasPartialHead = false;
  private bytes: Buffer | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly reader: RequestReader,
    private readonly timeouts: ClientTimeouts,
  ) {}

  get isEmpty(): boolean {
    return this.bytes === undefined;
  }

  append(bytes: Buffer): void {
    this.bytes = this.bytes ? Buffer.concat([this.bytes, bytes]) : bytes;
  }

  /** Buffers pipelined bytes until the current request has been answered. */
  appendPipelined(bytes: Buffer): void {
    this.append(bytes);
    // Reading continues up to a limit, because only a read shows that the client has closed the connection.
    if (this.isFull) this.socket.pause();
  }

  /** True if more pipelined bytes are buffered than the limit allows. */
  get isFull(): boolean {
    return this.bytes !== undefined && this.bytes.length > MAX_PIPELINED_BYTES;
  }

  /** Reads the next request head. @returns undefined until it is complete */
  nextHead(): ReadResult | undefined {
    const { bytes } = this;
    if (!bytes) return undefined;
    if (this.socket.writableNeedDrain) {
      // The client pipelines requests without reading the responses.
      this.socket.pause();
      return undefined;
    }
    const read = this.reader.read(bytes);
    if (read.kind === 'nothing') {
      // Empty lines between requests are dropped, but a CR, which may begin a line end, is kept.
      this.bytes = bytes.at(-1) === CR ? Buffer.of(CR) : undefined;
      return undefined;
    }
    if (read.kind === 'partial') {
      if (!this.hasPartialHead) this.timeouts.startHead();
      this.hasPartialHead = true;
      return undefined;
    }
    this.hasPartialHead = false;
    this.bytes = read.kind === 'head' && read.end < bytes.length ? bytes.subarray(read.end) : undefined;
    return read;
  }

  /** Reads bytes of the body. @returns their number including the framing, or 'bad' for a malformed body */
  readBody(body: RequestBody): number | 'bad' {
    const { bytes } = this;
    if (!bytes) return 0;
    const end = body.read(bytes);
    this.bytes = end === 'bad' || end === bytes.length ? undefined : bytes.subarray(end);
    return end;
  }

  /** Removes and returns all unread bytes. */
  takeAll(): Buffer | undefined {
    const { bytes } = this;
    this.bytes = undefined;
    return bytes;
  }
}
