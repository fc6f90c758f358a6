import type { Socket } from 'node:net';
import type { ClientTimes } from './client-times';
import type { RequestBody } from './request-body';
import type { ReadHead, RefusedHead, RequestReader } from './request-reader';

const MAX_PIPELINED = 64 * 1024;
const CR = 13;

/** What one client has sent and nobody has read yet: heads and bodies are taken from it in their order. */
export class ClientInput<C> {
  private bytes: Buffer | undefined;
  /** The beginning of a head has come. */
  private isPartial = false;

  constructor(
    private readonly socket: Socket,
    private readonly reader: RequestReader<C>,
    private readonly times: ClientTimes,
  ) {}

  get isEmpty(): boolean {
    return this.bytes === undefined;
  }

  /** Between two requests. */
  get isBetween(): boolean {
    return !this.isPartial;
  }

  add(bytes: Buffer): void {
    this.bytes = this.bytes ? Buffer.concat([this.bytes, bytes]) : bytes;
  }

  /** Read when the present request has been answered. */
  keep(bytes: Buffer): void {
    this.add(bytes);
    // Reading on is what notices that the client has gone.
    if (this.bytes && this.bytes.length > MAX_PIPELINED) this.socket.pause();
  }

  /** @returns nothing until the next head is whole */
  nextHead(): ReadHead<C> | RefusedHead | 'preface' | undefined {
    const { bytes } = this;
    if (!bytes) return undefined;
    if (this.socket.writableNeedDrain) {
      // A client that asks on without reading its answers.
      this.socket.pause();
      return undefined;
    }
    const read = this.reader.read(bytes);
    if (read === 'nothing') {
      // Lines that belong to no request: the connection is as idle as before. Of the last one half may have come.
      this.bytes = bytes.at(-1) === CR ? Buffer.of(CR) : undefined;
      return undefined;
    }
    if (read === 'partial') {
      if (!this.isPartial) this.times.expectHead();
      this.isPartial = true;
      return undefined;
    }
    this.isPartial = false;
    this.bytes =
      typeof read === 'object' && 'end' in read && read.end < bytes.length ? bytes.subarray(read.end) : undefined;
    return read;
  }

  /** Reads what is the body's. @returns how many bytes, with its framing, or 'bad' */
  nextOf(body: RequestBody): number | 'bad' {
    const { bytes } = this;
    if (!bytes) return 0;
    const rest = body.read(bytes);
    this.bytes = rest === 'bad' ? undefined : rest;
    return rest === 'bad' ? rest : bytes.length - (rest?.length ?? 0);
  }

  /** Everything, as it came. */
  take(): Buffer | undefined {
    const { bytes } = this;
    this.bytes = undefined;
    return bytes;
  }
}
