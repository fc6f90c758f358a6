import { Chunks } from './chunks';

/** Finds the end of a request's body in what comes. */
export class RequestBody {
  /** Of its content. */
  receivedBytes = 0;
  isEnded: boolean;
  /** What the last `read` found; in the bytes that it was given. */
  content: Buffer | undefined = undefined;
  private left = 0;
  private readonly chunks: Chunks | undefined;

  /** @param framing bytes, or 'chunked' */
  constructor(framing: number | 'chunked') {
    this.isEnded = framing === 0;
    if (framing === 'chunked') this.chunks = new Chunks();
    else this.left = framing;
  }

  /** @returns what follows the body, if anything does, or 'bad' for a malformed one */
  read(bytes: Buffer): Buffer | undefined | 'bad' {
    this.content = undefined;
    if (this.isEnded) return bytes;
    if (this.chunks) return this.readChunks(bytes, this.chunks);
    const own = bytes.length > this.left ? bytes.subarray(0, this.left) : bytes;
    this.take(own);
    this.left -= own.length;
    this.isEnded = this.left === 0;
    return own.length < bytes.length ? bytes.subarray(own.length) : undefined;
  }

  private readChunks(bytes: Buffer, chunks: Chunks): Buffer | undefined | 'bad' {
    const end = chunks.read(bytes, 0);
    if (end === 'bad') return 'bad';
    this.take(bytes.subarray(0, chunks.contentEnd));
    if (end === 'more') return undefined;
    this.isEnded = true;
    return end < bytes.length ? bytes.subarray(end) : undefined;
  }

  private take(content: Buffer): void {
    if (content.length === 0) return;
    this.receivedBytes += content.length;
    this.content = content;
  }
}
