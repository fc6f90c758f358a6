import { statSync } from 'node:fs';

/** A commit becomes visible after its pages are synchronized to the disk, some time after they were written to the log. */
const SYNC_MS = 300;
/** A write that this schedule missed is found within this time, ms. */
const MAX_PAUSE_MS = 500;

/**
 * Decides when the primary asks SQLite for changes. Every commit of any process writes to the write-ahead log, and reading the
 * log's modification time costs a tenth of a query (decision 495).
 */
export class SqlitePollSchedule {
  private seen = '';
  /** Instants of the monotonic clock, ms. */
  private writtenAt = Number.NEGATIVE_INFINITY;
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly walFile: string) {}

  /** Whether a query could find a change. */
  isDue(): boolean {
    const now = performance.now();
    const found = statSync(this.walFile, { throwIfNoEntry: false });
    const state = `${found?.ino} ${found?.size} ${found?.mtimeMs}`;
    if (state !== this.seen) this.writtenAt = now;
    this.seen = state;
    if (now - this.writtenAt >= SYNC_MS && now - this.askedAt < MAX_PAUSE_MS) return false;
    this.askedAt = now;
    return true;
  }
}
