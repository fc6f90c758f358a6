import { ChunkedDecoder } from './chunked-decoder';

/** Decodes the body of one request and finds its end. */
export class RequestBody {
  /** Received bytes of content, without chunk framing. */
  receivedBytes = 0;
  isEnded: boolean;
  /** Content of the last `read`, as a view of its bytes. */
  content: Buffer | undefined = undefined;
  private remainingBytes = 0;
  private readonly chunks: ChunkedDecoder | undefined;

  /** @param framing length in bytes, or 'chunked' */
  constructor(framing: number | 'chunked') {
    this.isEnded = framing === 0;
    if (framing === 'chunked') this.chunks = new ChunkedDecoder();
    else this.remainingBytes = framing;
  }

  /** @returns the bytes behind the body, undefined if there are none, or 'bad' for a malformed body */
  read(bytes: Buffer): Buffer | undefined | 'bad' {
    this.content = undefined;
    if (this.isEnded) return bytes;
    if (this.chunks) return this.readChunks(bytes, this.chunks);
    const own = bytes.length > this.remainingBytes ? bytes.subarray(0, this.remainingBytes) : bytes;
    this.take(own);
    this.remainingBytes -= own.length;
    this.isEnded = this.remainingBytes === 0;
    return own.length < bytes.length ? bytes.subarray(own.length) : undefined;
  }

  private readChunks(bytes: Buffer, chunks: ChunkedDecoder): Buffer | undefined | 'bad' {
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
