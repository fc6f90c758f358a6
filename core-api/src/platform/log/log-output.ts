import { SonicBoom } from 'sonic-boom';
import { STDOUT, toNonBlocking } from './non-blocking';

/** Size of the buffer, which holds lines while the destination accepts none. Further lines are dropped. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;
/** Time after which a failed write (full disk, I/O error) is repeated. */
const RETRY_MS = 1_000;
/** Time limit for the output of buffered lines at the end of the process. */
const LAST_OUTPUT_MS = 500;

/**
 * Writes log lines in the background, so that a full disk, an I/O error or a pipe that nobody reads neither blocks nor
 * ends the process. Lines beyond 8 MiB are then dropped and counted.
 */
export class LogOutput {
  dropped = 0;
  private reportedDrops = 0;
  private isIdle = true;
  private retryTimer: NodeJS.Timeout | undefined;
  private readonly destination: SonicBoom;

  /** @param onWritable called when the buffer is empty again, with the number of lines dropped since the last call */
  constructor(
    private readonly onWritable: (dropped: number) => void,
    descriptor = STDOUT,
  ) {
    this.destination = new SonicBoom({
      fd: toNonBlocking(descriptor),
      sync: false,
      // `flush` does nothing if this is 0.
      minLength: 1,
      maxLength: MAX_BUFFERED_BYTES,
    });
    this.destination.on('drop', () => {
      this.dropped += 1;
    });
    this.destination.on('error', () => this.retryLater());
    this.destination.on('drain', () => this.onDrain());
  }

  /** @param line includes the line end */
  write(line: string): void {
    this.isIdle = false;
    this.destination.write(line);
  }

  /** Retries after an error, because `write` does not retry while the buffer is full. */
  private retryLater(): void {
    this.retryTimer ??= setTimeout(() => {
      this.retryTimer = undefined;
      this.destination.flush();
    }, RETRY_MS).unref();
  }

  private onDrain(): void {
    this.isIdle = true;
    const dropped = this.dropped - this.reportedDrops;
    if (dropped === 0) return;
    this.reportedDrops = this.dropped;
    this.onWritable(dropped);
  }

  /** Resolves when all lines are written, or after `limitMs`. */
  async waitUntilWritten(limitMs = LAST_OUTPUT_MS): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.destination.once('drain', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
