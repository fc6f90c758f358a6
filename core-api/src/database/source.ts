import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Config } from '../config';
import type { ChangeContext } from './change-context';
import { withTimeBudget } from './deadline';
import { commonOptions, type Entities, type Work } from './engine';
import { createPostgres } from './postgres';
import { createSqlite } from './sqlite';
import { Trail } from './trail';
import { createWriteGuard } from './write-guard';

export type { ChangeContext } from './change-context';

/** A program of this installation, run by somebody at the machine. */
export const commandContext = (name: string): ChangeContext => ({ actor: name, requestId: randomUUID(), address: '' });

/**
 * The system of record. Reads go to `read`; a write is one transaction, stored as a whole or not at all. When a write
 * returns, its COMMIT did, on the connection that began it. A write inside a write throws.
 */
export interface Database {
  /** Connects; with `migrate` brings the schema up to date first. @throws ConfigurationError for a newer schema */
  open(options?: { migrate?: boolean }): Promise<void>;
  close(): Promise<void>;
  /** True while the database is open and migrated, answers, and can be written. */
  isReady(): Promise<boolean>;
  readonly read: EntityManager;
  /** Reads that may take long, such as sums over months: they hold no other read up. */
  readonly report: EntityManager;
  /**
   * For all that an administrator edits. One at a time, across processes and machines: what `work` reads with its manager
   * is true until the commit. Who changed what is stored with it (`Trail`).
   */
  change<T>(context: ChangeContext, work: Work<T>): Promise<T>;
  /**
   * For what must not wait behind an administrator: rows of their own, and counts by `SET n = n + x`. On PostgreSQL any
   * number at once; on SQLite it takes its turn among the changes.
   */
  append<T>(work: Work<T>): Promise<T>;
}

export interface DatabaseOptions {
  /** False for what may take long: commands, backup, roll-ups. They have a database object of their own. */
  timeLimits?: boolean;
  /** Told of each change that was stored. */
  onChange?: (context: ChangeContext) => void;
}

/** A probe waits no longer for the database. */
const READY_MS = 2_000;

/** Composes without I/O. @param entities the tables that the caller works with (`schema.ts`) */
export function createDatabase(
  { DATA_DIR, DATABASE_URL }: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>,
  entities: Entities,
  { timeLimits = true, onChange }: DatabaseOptions = {},
): Database {
  const options = { ...commonOptions, entities };
  const engine = DATABASE_URL ? createPostgres(DATABASE_URL, options, timeLimits) : createSqlite(DATA_DIR, options);
  const guarded = createWriteGuard();
  let open = false;
  return {
    async open({ migrate = false } = {}) {
      await engine.open({ migrate });
      open = true;
    },
    async close() {
      open = false;
      await engine.close();
    },
    async isReady() {
      if (!open) return false;
      try {
        return await withTimeBudget(READY_MS, async () => {
          await engine.read.query('SELECT value FROM configuration_revision');
          await engine.proveWriting();
          return true;
        });
      } catch {
        return false;
      }
    },
    read: engine.read,
    report: engine.report,
    async change(context, work) {
      const result = await guarded(() =>
        engine.change(async (manager) => {
          const trail = new Trail(manager);
          const done = await work(trail.manager);
          await trail.write(context);
          return done;
        }),
      );
      onChange?.(context);
      return result;
    },
    append: (work) => guarded(() => engine.append(work)),
  };
}
