const SHORT_LENGTH = 126;
const LONG_LENGTH = 127;
const MASK_BYTES = 4;

/** Follows WebSocket frames (RFC 6455 §5.2) by their heads alone, to know where one ends. */
export class Frames {
  private left = 0;
  /** The present frame's head, as far as it has come. */
  private readonly head: number[] = [];
  private isLost = false;

  /** Whether a frame of one's own may stand here. */
  get isBetween(): boolean {
    return !this.isLost && this.left === 0 && this.head.length === 0;
  }

  pass(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length && !this.isLost; ) {
      if (this.left > 0) {
        const taken = Math.min(this.left, bytes.length - index);
        this.left -= taken;
        index += taken;
        continue;
      }
      this.head.push(bytes[index] ?? 0);
      index += 1;
      this.readHead();
    }
  }

  private readHead(): void {
    const { head } = this;
    const [, second] = head;
    if (second === undefined) return;
    const code = second & 0x7f;
    const lengthBytes = code === LONG_LENGTH ? 8 : code === SHORT_LENGTH ? 2 : 0;
    if (head.length < 2 + lengthBytes + (second & 0x80 ? MASK_BYTES : 0)) return;
    let length = lengthBytes === 0 ? code : 0;
    for (const byte of head.slice(2, 2 + lengthBytes)) length = length * 256 + byte;
    head.length = 0;
    this.left = length;
    this.isLost = !Number.isSafeInteger(length);
  }
}
