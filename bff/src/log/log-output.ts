import { SonicBoom } from 'sonic-boom';
import { STDOUT, toNonBlocking } from './non-blocking';

/** Size of the buffer. Further lines are dropped while the destination accepts no data. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;
/** Time after which a failed write (full disk, I/O error) is repeated. */
const RETRY_MS = 1_000;
/** Time limit for the output of buffered lines at the end of the process. */
const LAST_OUTPUT_MS = 500;

/**
 * Writes log lines in the background. A full disk, an I/O error or a pipe that nobody reads neither blocks nor ends the
 * process. Up to 8 MiB of lines are then buffered, and further lines are dropped and counted.
 */
export class LogOutput {
  /** Number of lines dropped since the start. */
  droppedLineCount = 0;
  private reportedDropCount = 0;
  private isIdle = true;
  private retryTimer: NodeJS.Timeout | undefined;
  private readonly destination: SonicBoom;

  /** @param reportDropped called when the buffer is empty again, with the number of lines dropped since the last call */
  constructor(private readonly reportDropped: (dropped: number) => void) {
    this.destination = new SonicBoom({
      fd: toNonBlocking(STDOUT),
      sync: false,
      // `flush` does nothing if `minLength` is 0.
      minLength: 1,
      maxLength: MAX_BUFFERED_BYTES,
    });
    this.destination.on('drop', () => {
      this.droppedLineCount += 1;
    });
    this.destination.on('error', () => this.retryLater());
    this.destination.on('drain', () => this.onDrain());
  }

  /** @param line including its line end */
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
    const dropped = this.droppedLineCount - this.reportedDropCount;
    if (dropped === 0) return;
    this.reportedDropCount = this.droppedLineCount;
    this.reportDropped(dropped);
  }

  /** Resolves when all lines are written, or after `LAST_OUTPUT_MS`. Lines that are still buffered are then lost. */
  async waitUntilWritten(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LAST_OUTPUT_MS);
      this.destination.once('drain', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
