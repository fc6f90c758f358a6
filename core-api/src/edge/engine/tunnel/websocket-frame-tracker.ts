/** Payload length codes that announce an extended length. */
const TWO_BYTE_LENGTH = 126;
const EIGHT_BYTE_LENGTH = 127;
const MASK_BYTES = 4;

/** Returns the number of bytes of the extended payload length. */
function countLengthBytes(code: number): number {
  if (code === EIGHT_BYTE_LENGTH) return 8;
  return code === TWO_BYTE_LENGTH ? 2 : 0;
}

/** Tracks the boundaries of WebSocket frames (RFC 6455 §5.2). Only frame headers are parsed. */
export class WebSocketFrameTracker {
  private remainingBytes = 0;
  /** Received bytes of the current frame's header. */
  private readonly head: number[] = [];
  private isTrackingLost = false; // True after a frame whose length is no safe integer.

  /** Returns whether the stream is between two frames, where the edge may insert a frame. */
  get isAtBoundary(): boolean {
    return !this.isTrackingLost && this.remainingBytes === 0 && this.head.length === 0;
  }

  track(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length && !this.isTrackingLost; ) {
      if (this.remainingBytes > 0) {
        const length = Math.min(this.remainingBytes, bytes.length - index);
        this.remainingBytes -= length;
        index += length;
        continue;
      }
      this.head.push(bytes[index] ?? 0);
      index += 1;
      this.readHead();
    }
  }

  private readHead(): void {
    const { head } = this;
    const [, secondByte] = head;
    if (secondByte === undefined) return;
    const code = secondByte & 0x7f;
    const lengthBytes = countLengthBytes(code);
    if (head.length < 2 + lengthBytes + (secondByte & 0x80 ? MASK_BYTES : 0)) return;
    let length = lengthBytes === 0 ? code : 0;
    for (const byte of head.slice(2, 2 + lengthBytes)) length = length * 256 + byte;
    head.length = 0;
    this.remainingBytes = length;
    this.isTrackingLost = !Number.isSafeInteger(length);
  }
}
