import type { ByteSource } from '../types';

export interface BodySink {
  /** Takes a piece of the body. @returns false to pause until `resume` */
  onData(bytes: Buffer): boolean;
  onEnd(): void;
  /** Called if the source has fewer or more bytes than its declared `length`. */
  onWrongLength(): void;
  onError(error: unknown): void;
}

/** Streams a `ByteSource` into a sink with back-pressure. */
export class BodyStreamer {
  private remainingBytes: number;
  private isWaiting = false;
  private isStopped = false;

  constructor(
    private readonly source: ByteSource,
    private readonly sink: BodySink,
  ) {
    this.remainingBytes = source.length;
  }

  /** Starts streaming, or continues after a pause. Exceptions of the source and the sink are passed to `onError`. */
  resume(): void {
    try {
      while (!this.isWaiting && !this.isStopped) {
        if (this.remainingBytes === 0) {
          this.finish();
          return;
        }
        const next = this.source.next();
        if (next instanceof Promise) this.wait(next);
        else if (!this.forward(next)) return;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  private wait(next: Promise<Uint8Array | undefined>): void {
    this.isWaiting = true;
    next.then(
      (bytes) => {
        this.isWaiting = false;
        if (this.isStopped) return;
        try {
          if (!this.forward(bytes)) return;
        } catch (error) {
          this.fail(error);
        }
        this.resume();
      },
      (error: unknown) => this.fail(error),
    );
  }

  /** Passes a piece to the sink and checks the length. @returns false to pause or stop */
  private forward(bytes: Uint8Array | undefined): boolean {
    if (!bytes || bytes.length > this.remainingBytes) {
      this.stop();
      this.sink.onWrongLength();
      return false;
    }
    this.remainingBytes -= bytes.length;
    const acceptsMore = this.sink.onData(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return acceptsMore || this.remainingBytes === 0;
  }

  private finish(): void {
    this.stop();
    this.sink.onEnd();
  }

  private fail(error: unknown): void {
    if (this.isStopped) return;
    this.stop();
    this.sink.onError(error);
  }

  /** Stops reading and closes the source. */
  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.source.close();
  }
}
