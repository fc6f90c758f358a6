import type { Logger } from 'pino';
import type { ConfigurationUpdate } from '../../decide/rows';
import type { Rows } from './rows';
import type { StateFolder } from './state-folder';
import type { Store } from './store';

const FILE = 'snapshot.json';
/** A snapshot is written at most this often: a large one takes hundreds of milliseconds. */
const WRITE_INTERVAL_MS = 1_000;
const TOUCH_INTERVAL_MS = 5_000;

/**
 * Keeps the workers' configuration up to date with the database. While the database is away, the last snapshot stays in
 * force; it is also kept in a file (keys as digests only), so that an edge can start without the database.
 */
export class ConfigurationFollower {
  /** Time of the last successful poll, in ms since the epoch. */
  private polledAt: number | undefined;
  /** The rows come from the database, no longer from the file. */
  private isConfirmed = false;
  private isPersisted = true;
  private persistedAt = 0;

  constructor(
    private readonly store: Store,
    private readonly files: StateFolder,
    private readonly rows: Rows,
    private readonly onUpdate: (update: ConfigurationUpdate) => void,
    private readonly log: Logger,
  ) {}

  get ageSeconds(): number {
    return this.polledAt === undefined ? 0 : Math.max(0, (Date.now() - this.polledAt) / 1000);
  }

  /** Loads the last snapshot from its file; an unreadable file counts as none. */
  async restore(): Promise<void> {
    try {
      const found = await this.files.read(FILE);
      if (!found) return;
      this.polledAt = found.at;
      this.apply(found.value as ConfigurationUpdate);
      this.isPersisted = true;
    } catch (error) {
      this.log.warn({ err: error }, 'the last snapshot could not be read');
    }
  }

  /** Reads changes from the database. The first time it reads everything: the file may belong to another database. */
  async poll(): Promise<void> {
    // At the very first start the core may still be creating the tables.
    if (!this.isConfirmed && !(await this.store.isReady())) return;
    const update = await this.store.updateSince(this.isConfirmed ? this.rows.revision : undefined);
    this.isConfirmed = true;
    this.polledAt = Date.now();
    if (update) this.apply(update);
  }

  private apply(update: ConfigurationUpdate): void {
    this.rows.apply(update);
    this.isPersisted = false;
    this.onUpdate(update);
  }

  /** Writes the snapshot file when it is out of date; otherwise touches it, since its time says how old it is. */
  async persist(): Promise<void> {
    const { all } = this.rows;
    if (!all || !this.isConfirmed) return;
    const since = Date.now() - this.persistedAt;
    if (!this.isPersisted && since >= WRITE_INTERVAL_MS) {
      this.isPersisted = true;
      try {
        await this.files.write(FILE, all);
      } catch (error) {
        this.isPersisted = false;
        throw error;
      }
    } else if (this.isPersisted && this.ageSeconds < 1 && since >= TOUCH_INTERVAL_MS) await this.files.touch(FILE);
    else return;
    this.persistedAt = Date.now();
  }
}
