import type { ConfigWatcher } from '../config-sync/config-watcher';
import type { EdgeStore } from '../config-sync/edge-store';
import type { SnapshotFile } from '../config-sync/snapshot-file';
import type { ConfigPage } from '../ipc/messages';
import type { WorkerPool } from './worker-pool';

/** Gives each worker the configuration from the snapshot file, or from the database if the file is not usable. */
export class ConfigPublisher {
  private readonly waitingWorkers = new Set<number>();

  constructor(
    private readonly watcher: Pick<ConfigWatcher, 'revision'>,
    private readonly store: Pick<EdgeStore, 'readConfigRows'>,
    private readonly file: Pick<SnapshotFile, 'isCurrent' | 'discard'>,
    private readonly workers: Pick<WorkerPool, 'sendTo'>,
  ) {}

  /** Called when a worker has started, and for each worker when the configuration was replaced. */
  sendConfig(worker: number): void {
    if (this.file.isCurrent) this.workers.sendTo(worker, { type: 'load-snapshot' });
    else this.waitingWorkers.add(worker);
  }

  /** Called when a worker could not load the file, or received changes before a complete configuration. */
  onMissing(worker: number): void {
    this.file.discard();
    this.waitingWorkers.add(worker);
  }

  onExit(worker: number): void {
    this.waitingWorkers.delete(worker);
  }

  /**
   * Sends the rows of the database to the waiting workers, or makes them load the file if it is current again.
   * @throws if the database fails, after which the workers continue to wait
   */
  async publishToWaiting(): Promise<void> {
    const { revision } = this.watcher;
    if (revision === undefined || this.waitingWorkers.size === 0) return;
    const workers = [...this.waitingWorkers];
    this.waitingWorkers.clear();
    if (this.file.isCurrent) {
      for (const worker of workers) this.sendConfig(worker);
      return;
    }
    try {
      let isFirst = true;
      for await (const changes of this.store.readConfigRows()) {
        this.sendPage(workers, { update: { revision, isComplete: true, changes }, isFirst, isLast: false });
        isFirst = false;
      }
      this.sendPage(workers, { update: { revision, isComplete: true, changes: [] }, isFirst, isLast: true });
    } catch (error) {
      for (const worker of workers) this.waitingWorkers.add(worker);
      throw error;
    }
  }

  private sendPage(workers: readonly number[], page: ConfigPage): void {
    for (const worker of workers) this.workers.sendTo(worker, { type: 'config', ...page });
  }
}
