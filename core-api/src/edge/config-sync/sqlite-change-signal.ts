import { existsSync, type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type ChangeSignal, MAX_POLL_PAUSE_MS, POLL_PAUSE_MS } from './change-signal';

/** A commit becomes visible at least this long after the event of its write, ms. */
const MIN_POLL_PAUSE_MS = 5;
const RETRY_MS = 1_000;

/**
 * Signals writes to a SQLite database by any process, as events of its write-ahead log. After the event, SQLite flushes
 * the log before the commit is visible, so the first poll may be too early. Each further pause is the time since the
 * write (`pauseMs`) times at most 1.5 (`computeAlignedPause`). So a commit visible after n ms is found within 2.5 n ms.
 */
export class SqliteChangeSignal implements ChangeSignal {
  private watcher: FSWatcher | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  /** Instant of the monotonic clock, ms. */
  private writtenAt = performance.now();

  constructor(private readonly file: string) {}

  get pauseMs(): number {
    if (!this.watcher) return POLL_PAUSE_MS;
    return Math.min(Math.max(performance.now() - this.writtenAt, MIN_POLL_PAUSE_MS), MAX_POLL_PAUSE_MS);
  }

  /** Watches the folder instead of the log, because SQLite removes and recreates the log. */
  watch(onChange: (pauseMs: number) => void): void {
    this.writtenAt = performance.now();
    const watchLater = () => {
      this.close();
      onChange(this.pauseMs);
      this.retryTimer = setTimeout(() => this.watch(onChange), RETRY_MS).unref();
    };
    try {
      // If a symbolic link leads to the file, SQLite keeps the log beside the real file.
      const log = `${existsSync(this.file) ? realpathSync(this.file) : this.file}-wal`;
      const onEvent = (_type: string, name: string | null) => {
        if (name !== basename(log)) return;
        this.writtenAt = performance.now();
        onChange(MIN_POLL_PAUSE_MS);
      };
      this.watcher = watch(dirname(log), { persistent: false }, onEvent).on('error', watchLater);
    } catch {
      // The folder does not exist before the first start of the core, or no inotify watch is left.
      watchLater();
    }
  }

  close(): void {
    clearTimeout(this.retryTimer);
    this.watcher?.close();
    this.watcher = undefined;
  }
}
