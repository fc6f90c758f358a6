import type { ByteSource } from './types';

/** Who gets a body that is read while it is sent. */
export interface Sink {
  /** @returns false when no more is wanted until `proceed` */
  piece(bytes: Buffer): boolean;
  end(): void;
  /** The source ended before its length. */
  short(): void;
  failed(error: unknown): void;
}

/** Reads a source no faster than its sink takes it. */
export class Sending {
  private left: number;
  private isWaiting = false;
  private isOver = false;

  constructor(
    private readonly source: ByteSource,
    private readonly sink: Sink,
  ) {
    this.left = source.length;
  }

  /** The sink takes more. What the source or the sink throws goes to `failed`. */
  proceed(): void {
    try {
      while (!this.isWaiting && !this.isOver) {
        if (this.left === 0) {
          this.finish();
          return;
        }
        const next = this.source.next();
        if (next instanceof Promise) this.wait(next);
        else if (!this.take(next)) return;
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
        if (this.isOver) return;
        try {
          if (!this.take(bytes)) return;
        } catch (error) {
          this.fail(error);
        }
        this.proceed();
      },
      (error: unknown) => this.fail(error),
    );
  }

  /** @returns whether the sink takes more */
  private take(bytes: Uint8Array | undefined): boolean {
    if (!bytes || bytes.length > this.left) {
      this.stop();
      this.sink.short();
      return false;
    }
    this.left -= bytes.length;
    const flows = this.sink.piece(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return flows || this.left === 0;
  }

  private finish(): void {
    this.stop();
    this.sink.end();
  }

  private fail(error: unknown): void {
    if (this.isOver) return;
    this.stop();
    this.sink.failed(error);
  }

  /** No more is wanted. */
  stop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.source.close();
  }
}
