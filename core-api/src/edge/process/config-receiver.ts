import { setImmediate as nextTurn } from 'node:timers/promises';
import { chunks } from '../../platform/collections/chunks';
import type { ConfigUpdate, RowChange } from '../../routing/config-snapshot';
import type { RoutingTable, TableRebuild } from '../../routing/routing-table';
import { readSnapshot } from '../config-sync/snapshot-format';
import type { ConfigPage } from '../ipc/messages';

/** Number of rows that are compiled without a pause for requests. */
const SLICE_ROWS = 100;

interface ReceiverEvents {
  onApplied(revision: number): void;
  /** Called if the snapshot file cannot be loaded, or if changes arrive before a complete configuration. */
  onMissing(error: unknown): void;
}

/**
 * Loads the configuration into a worker's routing table. A complete configuration is compiled in slices beside the
 * current table, and the worker serves requests between two slices. The pages of an update are applied in one step.
 */
export class ConfigReceiver {
  /** The last load. A load begins after the previous load has ended. */
  private loading: Promise<void> = Promise.resolve();
  private pendingLoadCount = 0;
  private replacement: TableRebuild | undefined;
  private pageChanges: RowChange[] = [];
  /** Updates that arrived while a complete configuration was being compiled. */
  private heldUpdates: ConfigUpdate[] = [];

  constructor(
    private readonly table: Pick<RoutingTable, 'apply' | 'startRebuild' | 'revision'>,
    private readonly snapshotPath: string,
    private readonly events: ReceiverEvents,
  ) {}

  loadSnapshot(): void {
    this.pendingLoadCount += 1;
    this.loading = this.loading.then(async () => {
      try {
        const { replacement, revision } = await this.compileSnapshot();
        this.finish(replacement, revision);
      } catch (error) {
        this.events.onMissing(error);
      } finally {
        this.pendingLoadCount -= 1;
        this.applyHeldUpdates();
      }
    });
  }

  /** Compiles the snapshot file. The result takes effect at `finish`. */
  private async compileSnapshot() {
    const replacement = this.table.startRebuild();
    let revision: number | undefined;
    for await (const entry of readSnapshot(this.snapshotPath)) {
      if (entry.kind === 'rows') await addInSlices(replacement, entry.changes);
      if (entry.kind === 'commit') revision = entry.position.revision;
    }
    if (revision === undefined) throw new Error('the snapshot file has no complete update');
    return { replacement, revision };
  }

  receivePage({ update, isFirst, isLast }: ConfigPage): void {
    const { revision, isComplete, changes } = update;
    if (isComplete) {
      if (isFirst) this.replacement = this.table.startRebuild();
      this.replacement?.add(changes);
      if (!isLast || !this.replacement) return;
      this.finish(this.replacement, revision);
      this.replacement = undefined;
      this.applyHeldUpdates();
      return;
    }
    if (isFirst) this.pageChanges = [];
    this.pageChanges.push(...changes);
    if (isLast) this.applyOrHold({ revision, isComplete, changes: this.pageChanges });
  }

  private applyOrHold(update: ConfigUpdate): void {
    if (this.pendingLoadCount > 0 || this.replacement) this.heldUpdates.push(update);
    else if (this.table.revision !== undefined) this.apply(update);
    // With changes alone, the worker would respond with 404 for all other hosts.
    else this.events.onMissing(new Error('changes came before a complete configuration'));
  }

  private applyHeldUpdates(): void {
    if (this.pendingLoadCount > 0 || this.replacement) return;
    const updates = this.heldUpdates;
    this.heldUpdates = [];
    for (const update of updates) this.applyOrHold(update);
  }

  private apply(update: ConfigUpdate): void {
    // The snapshot file may already contain this update and later updates.
    if (update.revision > (this.table.revision ?? 0)) this.table.apply(update);
    this.events.onApplied(this.table.revision ?? update.revision);
  }

  private finish(replacement: TableRebuild, revision: number): void {
    replacement.finish(revision);
    this.events.onApplied(revision);
  }
}

async function addInSlices(replacement: TableRebuild, changes: readonly RowChange[]): Promise<void> {
  for (const slice of chunks(changes, SLICE_ROWS)) {
    replacement.add(slice);
    await nextTurn();
  }
}
