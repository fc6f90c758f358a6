import type { BodyLength } from '../types';
import { ChunkedDecoder, MAX_CHUNKS_PER_READ } from './chunked-decoder';

/** Decodes the body of one request and finds its end. */
export class RequestBody {
  /** Received bytes of content, without chunk framing. */
  receivedBytes = 0;
  isEnded: boolean;
  /** Content of the last `read`, as a view of the bytes that were passed to it. */
  content: Buffer | undefined = undefined;
  private remainingBytes = 0;
  private readonly chunkedDecoder: ChunkedDecoder | undefined;

  constructor(length: BodyLength) {
    this.isEnded = length === 0;
    if (length === 'chunked') this.chunkedDecoder = new ChunkedDecoder();
    else this.remainingBytes = length;
  }

  /** Reads the next part of the body from `bytes`. @returns the offset after that part, or 'bad' if it is malformed */
  read(bytes: Buffer): number | 'bad' {
    this.content = undefined;
    if (this.isEnded) return 0;
    if (this.chunkedDecoder) return this.readChunks(bytes, this.chunkedDecoder);
    const end = Math.min(bytes.length, this.remainingBytes);
    this.setContent(bytes.subarray(0, end));
    this.remainingBytes -= end;
    this.isEnded = this.remainingBytes === 0;
    return end;
  }

  private readChunks(bytes: Buffer, decoder: ChunkedDecoder): number | 'bad' {
    const end = decoder.read(bytes, 0, MAX_CHUNKS_PER_READ);
    if (end === 'bad') return 'bad';
    this.setContent(bytes.subarray(0, decoder.contentEnd));
    this.isEnded = decoder.isEnded;
    return end;
  }

  private setContent(content: Buffer): void {
    if (content.length === 0) return;
    this.receivedBytes += content.length;
    this.content = content;
  }
}
