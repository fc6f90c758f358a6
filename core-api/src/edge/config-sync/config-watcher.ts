import type { Logger } from 'pino';
import type { ConfigPosition, RowChange } from '../../routing/config-snapshot';
import { ConfigIndex } from './config-index';
import type { EdgeStore } from './edge-store';
import type { SnapshotFile } from './snapshot-file';

/** Interval of updates of the snapshot file's modification time, ms. With 5 s, the disk would write 9 MB a day. */
const TOUCH_INTERVAL_MS = 60_000;
/** Pause after a failed write of the snapshot's base (all rows), ms. Each attempt reads the whole configuration. */
const BASE_RETRY_MS = 10_000;

type WatchedStore = Pick<
  EdgeStore,
  'isReady' | 'readChangesSince' | 'readConfigPosition' | 'readConfigRows' | 'installationId' | 'expectedInstallationId'
>;

/** Callbacks that run once the index contains a change. The snapshot file contains it too, unless the write failed. */
interface WatcherEvents {
  /** Called after a complete configuration has replaced the previous configuration. */
  onReload(): void;
  onChanges(changes: RowChange[], revision: number): void;
}

/**
 * Runs in the primary and follows the configuration in the database. While the database is away, the last
 * configuration stays in force. The rows are in the snapshot file (keys as digests), not in memory. Workers load this
 * file, and an edge can start with it while the database is away.
 */
export class ConfigWatcher {
  /** Time of the last successful poll, or the modification time of the restored snapshot, ms since the epoch. */
  private polledAt: number | undefined;
  private position: ConfigPosition | undefined;
  /** True after the first successful poll. Until then the tables may be missing, and `persist` does nothing. */
  private isConfirmed = false;
  /** Instants of the monotonic clock, ms. */
  private touchedAt = Number.NEGATIVE_INFINITY;
  private nextBaseAt = 0;
  private currentIndex = new ConfigIndex();
  /** The last write of a base. Bases are written one after the other. */
  private lastWrite: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: WatchedStore,
    private readonly file: SnapshotFile,
    private readonly events: WatcherEvents,
    private readonly log: Logger,
  ) {}

  get index(): ConfigIndex {
    return this.currentIndex;
  }

  /** Undefined before the first configuration. */
  get revision(): number | undefined {
    return this.position?.revision;
  }

  get ageSeconds(): number {
    return this.polledAt === undefined ? 0 : Math.max(0, (Date.now() - this.polledAt) / 1000);
  }

  /** Loads the last snapshot from its file, if the file is valid. Workers load the file themselves. */
  async restore(): Promise<void> {
    try {
      const index = new ConfigIndex();
      const snapshot = await this.file.restore((changes) => index.apply(changes));
      if (snapshot === 'invalid') this.log.error('the snapshot is damaged or has another format, so it is not used');
      if (!snapshot || snapshot === 'invalid') return;
      this.polledAt = snapshot.modifiedAtMs;
      this.store.expectedInstallationId = snapshot.installationId;
      this.currentIndex = index;
      this.position = snapshot.position;
    } catch (error) {
      this.log.warn({ err: error }, 'the last snapshot could not be read');
    }
  }

  /** Reads changes from the database, or all rows if the database does not know the snapshot's position. */
  async poll(): Promise<void> {
    // At the first start the core may still be creating the tables.
    if (!this.isConfirmed && !(await this.store.isReady())) return;
    const laterChanges = this.position ? await this.store.readChangesSince(this.position) : 'unknown';
    if (laterChanges === 'unknown') await this.reload();
    else if (laterChanges) await this.apply(laterChanges.changes, laterChanges.position);
    this.isConfirmed = true;
    this.polledAt = Date.now();
  }

  private async apply(changes: RowChange[], position: ConfigPosition): Promise<void> {
    // The file is written before the workers get the changes, because a worker that starts now loads the file.
    await this.file
      .append(changes, position)
      .catch((error: unknown) => this.log.warn({ err: error }, 'writing the snapshot failed'));
    this.currentIndex.apply(changes);
    this.position = position;
    this.events.onChanges(changes, position.revision);
  }

  private async reload(): Promise<void> {
    const index = new ConfigIndex();
    const { position, failure } = await this.writeBase((changes) => index.apply(changes));
    if (failure) {
      this.log.warn({ err: failure }, 'writing the snapshot failed');
      // The file still has the earlier configuration, which no worker may load and no later change may extend.
      this.file.discard();
    }
    this.currentIndex = index;
    this.position = position;
    this.events.onReload();
  }

  /** Reads all rows and writes them as a new base. Disk errors are returned (`failure`), database errors are thrown. */
  private writeBase(onRows: (changes: RowChange[]) => void) {
    const result = this.lastWrite.catch(() => undefined).then(() => this.writeBaseNow(onRows));
    this.lastWrite = result;
    return result;
  }

  private async writeBaseNow(onRows: (changes: RowChange[]) => void) {
    const position = await this.store.readConfigPosition();
    let failure: unknown;
    const onFailure = (error: unknown) => {
      failure = error;
    };
    const base = await this.file.startBase(this.store.installationId).catch(onFailure);
    try {
      for await (const changes of this.store.readConfigRows()) {
        onRows(changes);
        if (!failure) await base?.add(changes).catch(onFailure);
      }
      if (!failure) await base?.finish(position).catch(onFailure);
    } finally {
      await base?.abandon();
    }
    this.nextBaseAt = failure ? performance.now() + BASE_RETRY_MS : 0;
    return { position, failure };
  }

  /** Flushes the snapshot file, replaces it if needed, and touches it, so that `restore` can compute its age. */
  async persist(): Promise<void> {
    if (!this.isConfirmed) return;
    await this.file.flush();
    if (this.file.needsNewBase && performance.now() >= this.nextBaseAt) {
      const { failure } = await this.writeBase(() => undefined);
      if (failure) throw failure;
    }
    if (this.ageSeconds < 1 && performance.now() - this.touchedAt >= TOUCH_INTERVAL_MS) {
      this.touchedAt = performance.now();
      await this.file.touch();
    }
  }
}
