import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type ChangeSignal, MAX_POLL_PAUSE_MS, POLL_PAUSE_MS } from './change-signal';

/** A commit is never visible sooner after the event of its write. */
const MIN_POLL_PAUSE_MS = 5;

/**
 * Tells of writes to a SQLite database by any process, as events of its write-ahead log. An event comes before the commit is
 * visible, because SQLite synchronizes the log with the disk first. So the pauses between two looks are as long as the write
 * is ago, and a commit is found within twice the time that it took.
 */
export class SqliteWrites implements ChangeSignal {
  private watcher: FSWatcher | undefined;
  /** Instant of the monotonic clock, ms. */
  private writtenAt = performance.now();

  constructor(private readonly walFile: string) {}

  get pauseMs(): number {
    if (!this.watcher) return POLL_PAUSE_MS;
    return Math.min(Math.max(performance.now() - this.writtenAt, MIN_POLL_PAUSE_MS), MAX_POLL_PAUSE_MS);
  }

  /** The folder is watched, because SQLite removes the log and creates it anew. */
  watch(onChange: (pauseMs: number) => void): void {
    const name = basename(this.walFile);
    const onEvent = (_type: string, file: string | null) => {
      if (file !== name) return;
      this.writtenAt = performance.now();
      onChange(this.pauseMs);
    };
    try {
      this.watcher = watch(dirname(this.walFile), { persistent: false }, onEvent).on('error', () => this.close());
    } catch {
      // The system has no watch left (`fs.inotify.max_user_watches`), so `pauseMs` stays short.
    }
  }

  close(): void {
    this.watcher?.close();
    this.watcher = undefined;
  }
}
