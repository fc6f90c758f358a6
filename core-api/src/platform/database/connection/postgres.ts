import { Client, type ClientConfig, DatabaseError, type PoolClient } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { getErrorMessage } from '../../errors/error-details';
import { migrate, refuseNewerSchema } from '../schema/migrate';
import { withDeadline } from './deadline';
import type { DatabaseEngine, DatabaseEngineOptions, TransactionCallback } from './engine';
import { createQueue } from './queue';
import { DatabaseUnavailableError, getDatabaseErrorCode } from './unavailable';

const CONNECT_MS = 2_000;
const STATEMENT_MS = 4_000;
/** More than `STATEMENT_MS`, so that the server's time-out comes first and the connection stays usable. */
const QUERY_TIMEOUT_MS = 4_500;
/** A process that hangs inside a transaction holds its locks for at most this long. */
const IDLE_IN_TRANSACTION_MS = 2_000;

/**
 * Limits the time of connecting and of each query. The pool's `connectionTimeoutMillis` would also limit the wait for a
 * busy connection, but that wait may last for the time budget of the call.
 */
class LimitedClient extends Client {
  constructor(config: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS });
  }

  /** A time-out closes the connection, because the late result would answer the next query. */
  // biome-ignore lint/suspicious/noExplicitAny: this method replaces all overloads, and TypeORM uses the promise only
  override async query(...args: any[]): Promise<any> {
    const query: (...parameters: unknown[]) => Promise<unknown> = super.query;
    try {
      return await withDeadline(() => query.apply(this, args), {
        name: 'answer',
        limitMs: QUERY_TIMEOUT_MS,
        onExpire: () => closeConnection(this),
      });
    } catch (error) {
      throw error instanceof DatabaseError ? error : toUnavailableError(error);
    }
  }
}

/** Options of node-postgres: the class of its clients, startup parameters and keep-alive. */
const TIME_LIMITS = {
  Client: LimitedClient,
  statement_timeout: STATEMENT_MS,
  lock_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 1_000,
};

/** Takes a lock until the transaction ends. Its key of two numbers never equals the single number of `lockByName`. */
const TAKE_CHANGE_LOCK_SQL = 'SELECT pg_advisory_xact_lock(7, 1)';

/** SQLSTATE of a write on a standby, to which a connection may lead after a fail-over. */
const READ_ONLY_SQL_TRANSACTION = '25006';

type PostgresOptions = DatabaseEngineOptions & { timeLimits: boolean };

/**
 * The engine of PostgreSQL, with a pool of connections. Every serialized write takes one advisory lock. Serialized
 * writes of this process first wait in a queue, so that they do not occupy the pool.
 */
export function createPostgres(url: string, { timeLimits, ...options }: PostgresOptions): DatabaseEngine {
  const source = new DataSource({
    ...options,
    type: 'postgres',
    url,
    poolSize: 10,
    ...(timeLimits && { extra: TIME_LIMITS }),
  });
  if (timeLimits) limitConnections(source);
  const enqueue = createQueue();
  return {
    read: source.manager,
    report: source.manager,
    serializedWrite: (work) => enqueue(() => runTransaction(source, work, TAKE_CHANGE_LOCK_SQL)),
    concurrentWrite: (work) => runTransaction(source, work),
    async open({ migrate: shouldMigrate, beforeInstall }) {
      if (shouldMigrate) await migrate({ ...options, type: 'postgres', url, poolSize: 2 }, beforeInstall);
      if (!source.isInitialized) await source.initialize();
      await refuseNewerSchema(source, 'DATABASE_URL');
    },
    async close() {
      if (source.isInitialized) await source.destroy();
    },
    checkWritable: async () => undefined,
  };
}

/** @param lockSql if given, runs before `work` */
async function runTransaction<T>(source: DataSource, work: TransactionCallback<T>, lockSql?: string): Promise<T> {
  const runner = source.createQueryRunner();
  const client: PoolClient = await runner.connect();
  try {
    await runner.startTransaction();
    if (lockSql) await runner.query(lockSql);
    const result = await work(runner.manager);
    // PostgreSQL answers COMMIT of a failed transaction without an error, although it rolls back.
    if (client.getTransactionStatus() !== 'T')
      throw new DatabaseUnavailableError('the transaction failed before its commit');
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await rollBack(runner, client, error);
    throw error;
  } finally {
    await runner.release();
  }
}

/** Rolls back. A connection that cannot roll back, or leads to a standby, is closed. */
async function rollBack(runner: QueryRunner, client: PoolClient, error: unknown): Promise<void> {
  const isRolledBack = await runner.rollbackTransaction().then(
    () => true,
    () => false,
  );
  if (!isRolledBack || getDatabaseErrorCode(error) === READ_ONLY_SQL_TRANSACTION) closeConnection(client);
}

/** Closes a connection, so that the pool discards it and the server rolls its transaction back. */
function closeConnection(client: Client | PoolClient): void {
  client.end().catch(() => undefined);
}

/**
 * Limits the wait for a pooled connection to the time budget of the call. TypeORM has no option for this, and it calls
 * the pool with a callback, so there is no promise to limit. Therefore this function replaces the driver's method.
 */
function limitConnections({ driver }: DataSource): void {
  const pool = driver as PostgresDriver;
  const connect = pool.obtainMasterConnection.bind(pool);
  pool.obtainMasterConnection = async () => {
    let isLate = false;
    // If no time is left, `withDeadline` does not call this function, so no connection has to be released.
    const obtainOrRelease = () => {
      const connection = connect();
      // A late connection is returned to the pool. The caller gets the error of a failed connection.
      connection.then(([, release]) => isLate && release()).catch(() => undefined);
      return connection;
    };
    const wait = { name: 'connection', onExpire: () => (isLate = true) };
    return withDeadline(obtainOrRelease, wait).catch((error: unknown) => {
      throw toUnavailableError(error);
    });
  };
}

const toUnavailableError = (error: unknown): DatabaseUnavailableError =>
  error instanceof DatabaseUnavailableError
    ? error
    : new DatabaseUnavailableError(getErrorMessage(error), { cause: error });
