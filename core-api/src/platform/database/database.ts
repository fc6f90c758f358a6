import { AsyncLocalStorage } from 'node:async_hooks';
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { Metric } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { AuditRecorder } from '../audit/audit-recorder';
import type { Config } from '../config/config';
import { refuseOtherInstallation } from '../installation/other-installation';
import type { ChangeContext } from './changes/change-context';
import { withTimeBudget } from './connection/deadline';
import { commonOptions, type DatabaseEngine, type Entities, type TransactionCallback } from './connection/engine';
import { createPostgres } from './connection/postgres';
import { createSqlite } from './connection/sqlite';
import { WriteMetrics } from './connection/write-metrics';
import { getNewestMigration } from './schema/migrate';

/**
 * Creates a guard that throws for a write inside a write. On SQLite, the inner write and the outer write would wait for
 * each other. On PostgreSQL, the inner write would be outside of the transaction. Use the manager of the outer write.
 */
function createWriteGuard() {
  const writing = new AsyncLocalStorage<{ open: boolean }>();
  return async function guarded<T>(write: () => Promise<T>): Promise<T> {
    if (writing.getStore()?.open) throw new Error('a write inside a write: use the manager of the outer write');
    const scope = { open: true };
    try {
      return await writing.run(scope, write);
    } finally {
      scope.open = false;
    }
  };
}

export type { ChangeContext } from './changes/change-context';

/** Returns the context of a command-line program, which has no account. */
export const createCommandContext = (actor: string): ChangeContext => ({ actor, requestId: randomUUID(), address: '' });

/** The system of record. A write is one transaction and resolves after its COMMIT. A write inside a write throws. */
export interface Database {
  /**
   * Connects. With `migrate` the pending migrations run first.
   * @throws ConfigError for a newer schema, and for an empty database if `DATA_DIR` has files of an installation
   */
  open(options?: { migrate?: boolean }): Promise<void>;
  close(): Promise<void>;
  /** True if the database is open, responds, has this build's newest migration, and its SQLite writer works. */
  isReady(): Promise<boolean>;
  readonly read: EntityManager;
  /** For long reads, such as sums over months. SQLite runs them on another connection, so no other read waits. */
  readonly report: EntityManager;
  /**
   * Runs a transaction for rows that administrators edit. Only one of these transactions runs at a time, across
   * processes and machines. So rows that `work` reads do not change before the commit. The same transaction stores the
   * audit entries (`AuditRecorder`).
   */
  serializedWrite<T>(context: ChangeContext, work: TransactionCallback<T>): Promise<T>;
  /**
   * Runs a transaction that must not wait for administrators. It may write rows that no other process writes, and
   * counters (`SET n = n + x`). PostgreSQL runs these transactions in parallel, and SQLite queues them with all writes.
   */
  concurrentWrite<T>(work: TransactionCallback<T>): Promise<T>;
  /** Metrics of the duration and the queue of writes. */
  readonly metrics: readonly Metric[];
}

export interface DatabaseOptions {
  /** False for `npm run seed`, whose one transaction may exceed the time limits of PostgreSQL's statements. */
  timeLimits?: boolean;
  /** True if a SQLite file must be neither written nor created. */
  readOnly?: boolean;
  /** Called after each committed `serializedWrite`. */
  onChange?: (context: ChangeContext) => void;
}

/** Time limit of `isReady`. */
const READY_MS = 2_000;

const NEWEST_MIGRATION_SQL = `SELECT name FROM migrations WHERE name = '${getNewestMigration()}'`;

const isUpToDateAndWritable = (engine: DatabaseEngine): Promise<boolean> =>
  withTimeBudget(READY_MS, async () => {
    const newestMigrations = await engine.read.query(NEWEST_MIGRATION_SQL);
    if (newestMigrations.length === 0) return false;
    await engine.checkWritable();
    return true;
  }).catch(() => false);

/** Runs a change and stores its audit entries. @throws RuleError if the caller's rights were reduced meanwhile */
async function runAudited<T>(manager: EntityManager, context: ChangeContext, work: TransactionCallback<T>): Promise<T> {
  const recorder = new AuditRecorder(manager);
  const refusal = await context.checkRights?.(manager);
  const result = await work(recorder.manager);
  // The refusal is thrown after the change ran, because an error of the change explains more. If the last two
  // administrators demote each other, the later demotion gets the 409 for the last administrator, not this refusal.
  if (refusal) throw refusal;
  await recorder.write(context);
  return result;
}

/** Creates the database without connecting to it. @param entities tables that the caller uses (`app/entities.ts`) */
export function createDatabase(
  { DATA_DIR, DATABASE_URL }: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>,
  entities: Entities,
  { timeLimits = true, readOnly = false, onChange }: DatabaseOptions = {},
): Database {
  const options = { ...commonOptions, entities };
  const engine = DATABASE_URL
    ? createPostgres(DATABASE_URL, { ...options, timeLimits })
    : createSqlite(DATA_DIR, { ...options, readOnly });
  const guardWrite = createWriteGuard();
  const writeMetrics = new WriteMetrics();
  const runWrite = <T>(engineWrite: DatabaseEngine['concurrentWrite'], work: TransactionCallback<T>) => {
    const writeAndReportStart = (onStart: () => void) =>
      engineWrite((manager) => {
        onStart();
        return work(manager);
      });
    return guardWrite(() => writeMetrics.measure(writeAndReportStart));
  };
  let isOpen = false;
  return {
    async open({ migrate = false } = {}) {
      await engine.open({ migrate, beforeInstall: () => refuseOtherInstallation({ DATA_DIR, DATABASE_URL }) });
      isOpen = true;
    },
    async close() {
      isOpen = false;
      await engine.close();
    },
    isReady: async () => isOpen && (await isUpToDateAndWritable(engine)),
    read: engine.read,
    report: engine.report,
    async serializedWrite(context, work) {
      const result = await runWrite(engine.serializedWrite, (manager) => runAudited(manager, context, work));
      onChange?.(context);
      return result;
    },
    concurrentWrite: (work) => runWrite(engine.concurrentWrite, work),
    metrics: writeMetrics.all,
  };
}
