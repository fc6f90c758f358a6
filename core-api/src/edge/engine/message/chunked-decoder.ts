import { parseFields, unforwardedInRequests } from './header-fields';

enum DecoderState {
  Size,
  Extension,
  SizeLf,
  Data,
  DataCr,
  DataLf,
  Trailer,
  TrailerLf,
}

const CR = 13;
const LF = 10;
const SEMICOLON = 59;
/** Limit of the extensions of one chunk, and of all trailers together. */
const MAX_OVERHEAD_BYTES = 16 * 1024;
const MAX_DIGITS = 12;
/** Chunk extensions from the first semicolon to the end of the line (RFC 9112 §7.1.1). Optional blanks are refused. */
const EXTENSIONS =
  /^(?:;[!#$%&'*+.^`|~0-9A-Za-z_-]+(?:=(?:[!#$%&'*+.^`|~0-9A-Za-z_-]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)*$/;
/** Below this length a loop moves bytes faster than `copyWithin`. */
const SHORT_BYTES = 48;
/** Maximum number of chunks of a request in one `read`. A longer turn of the event loop delays other connections. */
export const MAX_CHUNKS_PER_READ = 512;

const parseHexDigit = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
};

/** Returns whether a byte may occur in a trailer line. The tab is the only permitted control. */
const isText = (byte: number): boolean => (byte >= 32 && byte !== 127) || byte === 9;

const decodeLatin1 = (bytes: readonly number[]): string => Buffer.from(bytes).toString('latin1');

/** Decodes a chunked body strictly (RFC 9112 §7.1). Extensions must be well-formed and are ignored. */
export class ChunkedDecoder {
  private state = DecoderState.Size;
  private remainingBytes = 0;
  private digitCount = 0;
  private overheadBytes = 0;
  private trailerLineLength = 0;
  private extensionBytes: number[] | undefined;
  private trailerBytes: number[] | undefined;

  /** Trailer lines, each with its CRLF. They are complete after the end of the body. */
  get trailers(): string {
    return decodeLatin1(this.trailerBytes ?? []);
  }

  /** End of the content within the bytes of the last `read`. */
  contentEnd = 0;
  /** True if the last chunk and the trailers were read. */
  isEnded = false;

  /**
   * Decodes in place: removes the framing, so that the content is one piece from `start` on.
   * @returns the offset after the decoded bytes, or 'bad' for a malformed body
   */
  read(bytes: Buffer, start: number, maxChunks = Number.POSITIVE_INFINITY): number | 'bad' {
    this.contentEnd = start;
    let index = start;
    let chunkCount = 0;
    while (index < bytes.length && chunkCount < maxChunks) {
      if (this.state === DecoderState.Data) {
        const end = Math.min(bytes.length, index + this.remainingBytes);
        this.moveContent(bytes, index, end);
        this.remainingBytes -= end - index;
        index = end;
        if (this.remainingBytes === 0) this.state = DecoderState.DataCr;
        chunkCount += 1;
        continue;
      }
      const isEnded = this.step(bytes[index] ?? 0);
      index += 1;
      if (isEnded === undefined) continue;
      this.isEnded = isEnded;
      return isEnded ? index : 'bad';
    }
    return index;
  }

  private moveContent(bytes: Buffer, from: number, to: number): void {
    let end = this.contentEnd;
    if (end === from) end = to;
    else if (to - from < SHORT_BYTES) {
      for (let index = from; index < to; index += 1) {
        bytes[end] = bytes[index] ?? 0;
        end += 1;
      }
    } else {
      bytes.copyWithin(end, from, to);
      end += to - from;
    }
    this.contentEnd = end;
  }

  /** Reads a framing byte. @returns true at the end of the body, false for a forbidden byte, undefined otherwise */
  private step(byte: number): boolean | undefined {
    switch (this.state) {
      case DecoderState.Size:
        return this.readSize(byte);
      case DecoderState.Extension:
        return this.readExtension(byte);
      case DecoderState.SizeLf:
        return byte === LF && this.endSizeLine() ? undefined : false;
      case DecoderState.DataCr:
        this.state = DecoderState.DataLf;
        return byte === CR ? undefined : false;
      case DecoderState.DataLf:
        this.state = DecoderState.Size;
        return byte === LF ? undefined : false;
      case DecoderState.Trailer:
        return this.readTrailer(byte);
      default:
        return byte === LF ? this.endTrailerLine() : false; // `TrailerLf`, because `read` handles `Data`.
    }
  }

  private readSize(byte: number): false | undefined {
    const digit = parseHexDigit(byte);
    if (digit >= 0) {
      this.remainingBytes = this.remainingBytes * 16 + digit;
      this.digitCount += 1;
      return this.digitCount > MAX_DIGITS ? false : undefined;
    }
    if (this.digitCount === 0) return false;
    if (byte === CR) this.state = DecoderState.SizeLf;
    else if (byte === SEMICOLON) {
      this.state = DecoderState.Extension;
      this.extensionBytes = [byte];
    } else return false;
    return undefined;
  }

  private readExtension(byte: number): false | undefined {
    this.overheadBytes += 1;
    if (byte === CR) this.state = DecoderState.SizeLf;
    else this.extensionBytes?.push(byte);
    return this.overheadBytes > MAX_OVERHEAD_BYTES ? false : undefined;
  }

  /** Checks the line of a chunk size and begins the chunk. @returns false for malformed extensions */
  private endSizeLine(): boolean {
    if (this.extensionBytes && !EXTENSIONS.test(decodeLatin1(this.extensionBytes))) return false;
    this.extensionBytes = undefined;
    this.digitCount = 0;
    this.overheadBytes = 0;
    this.state = this.remainingBytes === 0 ? DecoderState.Trailer : DecoderState.Data;
    return true;
  }

  private readTrailer(byte: number): false | undefined {
    this.overheadBytes += 1;
    if (byte === CR) this.state = DecoderState.TrailerLf;
    else if (!isText(byte)) return false;
    else {
      this.trailerLineLength += 1;
      this.trailerBytes ??= [];
    }
    this.trailerBytes?.push(byte);
    return this.overheadBytes > MAX_OVERHEAD_BYTES ? false : undefined;
  }

  /** Ends a trailer line. An empty line ends the body; after trailers, its CR is in `trailerBytes` and is removed. */
  private endTrailerLine(): boolean | undefined {
    this.state = DecoderState.Trailer;
    if (this.trailerLineLength > 0) {
      this.trailerLineLength = 0;
      this.trailerBytes?.push(LF);
      return undefined;
    }
    if (!this.trailerBytes) return true;
    this.trailerBytes.pop();
    return parseFields(this.trailers, unforwardedInRequests) !== undefined;
  }
}
