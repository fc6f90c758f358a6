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
const LONGEST_EXTRA = 16_384;
const MOST_DIGITS = 12;

const hexadecimal = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
};

/** Reads a chunked body (RFC 9112 §7.1) strictly; extensions and trailers are read over. */
export class Chunks {
  private state = State.Size;
  private left = 0;
  private digits = 0;
  private extra = 0;
  private lineLength = 0;

  /**
   * @param onData called with each piece of content
   * @returns where the body ended in `bytes`, 'more' when it did not, 'bad' when it is malformed
   */
  read(bytes: Buffer, start: number, onData: (piece: Buffer) => void): number | 'more' | 'bad' {
    let index = start;
    while (index < bytes.length) {
      if (this.state === State.Data) {
        const end = Math.min(bytes.length, index + this.left);
        onData(bytes.subarray(index, end));
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

  /** @returns true at the body's end, false for a byte that may not stand here */
  private step(byte: number): boolean | undefined {
    switch (this.state) {
      case State.Size: {
        const digit = hexadecimal(byte);
        if (digit >= 0) {
          this.left = this.left * 16 + digit;
          this.digits += 1;
          return this.digits > MOST_DIGITS ? false : undefined;
        }
        if (this.digits === 0) return false;
        if (byte === CR) this.state = State.SizeEnd;
        else if (byte === 59) this.state = State.Extension;
        else return false;
        return undefined;
      }
      case State.Extension:
        this.extra += 1;
        if (byte === CR) this.state = State.SizeEnd;
        else if (byte < 32 && byte !== 9) return false;
        return this.extra > LONGEST_EXTRA ? false : undefined;
      case State.SizeEnd:
        if (byte !== LF) return false;
        this.digits = 0;
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
        else if (byte < 32 && byte !== 9) return false;
        else this.lineLength += 1;
        return this.extra > LONGEST_EXTRA ? false : undefined;
      default: {
        if (byte !== LF) return false;
        const ended = this.lineLength === 0;
        this.lineLength = 0;
        this.state = State.Trailer;
        return ended ? true : undefined;
      }
    }
  }
}
