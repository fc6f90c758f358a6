import { ChunkedDecoder, MAX_CHUNKS_PER_READ } from './chunked-decoder';

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

  /** Reads the next part of the body from `bytes`. @returns the offset behind that part, or 'bad' if it is malformed */
  read(bytes: Buffer): number | 'bad' {
    this.content = undefined;
    if (this.isEnded) return 0;
    if (this.chunks) return this.readChunks(bytes, this.chunks);
    const end = Math.min(bytes.length, this.remainingBytes);
    this.take(bytes.subarray(0, end));
    this.remainingBytes -= end;
    this.isEnded = this.remainingBytes === 0;
    return end;
  }

  private readChunks(bytes: Buffer, chunks: ChunkedDecoder): number | 'bad' {
    const end = chunks.read(bytes, 0, MAX_CHUNKS_PER_READ);
    if (end === 'bad') return 'bad';
    this.take(bytes.subarray(0, chunks.contentEnd));
    this.isEnded = chunks.isEnded;
    return end;
  }

  private take(content: Buffer): void {
    if (content.length === 0) return;
    this.receivedBytes += content.length;
    this.content = content;
  }
}
