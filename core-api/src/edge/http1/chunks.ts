import { readFields, requestHops } from './fields';

enum State {
  Size,
  Extension,
  SizeEnd,
  Data,
  DataReturn,
  DataEnd,
  Trailer,
  TrailerEnd,
}

const CR = 13;
const LF = 10;
const SEMICOLON = 59;
/** Of one chunk's line, and of all trailers. */
const MAX_EXTRA_BYTES = 16 * 1024;
const MAX_DIGITS = 12;
/** From the first semicolon to the line's end (RFC 9112 §7.1.1), without the blanks that a sender must not write. */
const EXTENSIONS =
  /^(?:;[!#$%&'*+.^`|~0-9A-Za-z_-]+(?:=(?:[!#$%&'*+.^`|~0-9A-Za-z_-]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)*$/;
/** Bytes that a loop moves faster than a call. */
const SHORT = 48;

const hexadecimal = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
};

/** Field values and extensions: no control but the tab. */
const isText = (byte: number): boolean => (byte >= 32 && byte !== 127) || byte === 9;

const textOf = (bytes: readonly number[]): string => Buffer.from(bytes).toString('latin1');

/** Reads a chunked body (RFC 9112 §7.1) strictly; extensions must be well-formed and are then ignored. */
export class Chunks {
  private state = State.Size;
  private left = 0;
  private digits = 0;
  private extra = 0;
  private lineLength = 0;
  private extensionBytes: number[] | undefined;
  private trailerBytes: number[] | undefined;

  /** Trailer lines, each with its CRLF, once the body has ended. */
  get trailers(): string {
    return textOf(this.trailerBytes ?? []);
  }

  /** Where the content that the last `read` found ends in its bytes. */
  contentEnd = 0;

  /**
   * Moves the content to `start`, in place, so that it lies together.
   * @returns where the body ended in `bytes`, 'more' when it did not, 'bad' when it is malformed
   */
  read(bytes: Buffer, start: number): number | 'more' | 'bad' {
    this.contentEnd = start;
    let index = start;
    while (index < bytes.length) {
      if (this.state === State.Data) {
        const end = Math.min(bytes.length, index + this.left);
        this.moveContent(bytes, index, end);
        this.left -= end - index;
        index = end;
        if (this.left === 0) this.state = State.DataReturn;
        continue;
      }
      const ended = this.step(bytes[index] ?? 0);
      index += 1;
      if (ended === undefined) continue;
      return ended ? index : 'bad';
    }
    return 'more';
  }

  private moveContent(bytes: Buffer, from: number, to: number): void {
    if (this.contentEnd === from) this.contentEnd = to;
    else if (to - from < SHORT) {
      for (let index = from; index < to; index += 1) {
        bytes[this.contentEnd] = bytes[index] ?? 0;
        this.contentEnd += 1;
      }
    } else {
      bytes.copyWithin(this.contentEnd, from, to);
      this.contentEnd += to - from;
    }
  }

  /** @returns true at the body's end, false for a byte that may not stand here */
  private step(byte: number): boolean | undefined {
    switch (this.state) {
      case State.Size: {
        const digit = hexadecimal(byte);
        if (digit >= 0) {
          this.left = this.left * 16 + digit;
          this.digits += 1;
          return this.digits > MAX_DIGITS ? false : undefined;
        }
        if (this.digits === 0) return false;
        if (byte === CR) this.state = State.SizeEnd;
        else if (byte === SEMICOLON) {
          this.state = State.Extension;
          this.extensionBytes = [byte];
        } else return false;
        return undefined;
      }
      case State.Extension:
        this.extra += 1;
        if (byte === CR) this.state = State.SizeEnd;
        else this.extensionBytes?.push(byte);
        return this.extra > MAX_EXTRA_BYTES ? false : undefined;
      case State.SizeEnd:
        if (byte !== LF || (this.extensionBytes && !EXTENSIONS.test(textOf(this.extensionBytes)))) return false;
        this.extensionBytes = undefined;
        this.digits = 0;
        this.extra = 0;
        this.state = this.left === 0 ? State.Trailer : State.Data;
        return undefined;
      case State.DataReturn:
        this.state = State.DataEnd;
        return byte === CR ? undefined : false;
      case State.DataEnd:
        this.state = State.Size;
        return byte === LF ? undefined : false;
      case State.Trailer:
        this.extra += 1;
        if (byte === CR) this.state = State.TrailerEnd;
        else if (!isText(byte)) return false;
        else {
          this.lineLength += 1;
          this.trailerBytes ??= [];
        }
        if (this.trailerBytes) this.trailerBytes.push(byte);
        return this.extra > MAX_EXTRA_BYTES ? false : undefined;
      default: {
        if (byte !== LF) return false;
        const ended = this.lineLength === 0;
        this.lineLength = 0;
        this.state = State.Trailer;
        if (!ended) this.trailerBytes?.push(byte);
        else this.trailerBytes?.pop();
        if (!ended) return undefined;
        return !this.trailerBytes || readFields(this.trailers, requestHops) !== undefined;
      }
    }
  }
}
