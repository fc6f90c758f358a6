import { Client, type ClientConfig, DatabaseError, type PoolClient } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { withDeadline } from './deadline';
import type { Engine, EngineOptions } from './engine';
import { migrate, refuseNewerSchema } from './migrate';
import { codeOf, DatabaseOutage } from './outage';
import { createQueue } from './queue';

const CONNECT_MS = 2_000;
const STATEMENT_MS = 4_000;
/** A little more than the server's own limit, whose answer leaves the connection usable. */
const QUERY_TIMEOUT_MS = 4_500;
/** A process that stands still in the middle of a write holds the others up for so long. */
const IDLE_IN_TRANSACTION_MS = 2_000;

/** A connection of its own limit: the pool's would also end the wait for one that others use, which the call limits. */
class QuickClient extends Client {
  constructor(config: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS });
  }
}

/** Startup parameters and socket options of node-postgres. */
const TIME_LIMITS = {
  Client: QuickClient,
  statement_timeout: STATEMENT_MS,
  lock_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 1_000,
};

/** The pair of numbers keeps it apart from the locks of one number. Held until the transaction ends. */
const TAKE_CHANGE_LOCK = 'SELECT pg_advisory_xact_lock(7, 1)';

/** Standby after a fail-over: the connection leads to the wrong server. */
const READ_ONLY = '25006';

/**
 * Many connections. Every `change` waits for one lock, in this process and across machines; in this process in a queue,
 * so that waiting changes do not occupy the pool.
 */
export function createPostgres(url: string, options: EngineOptions, timeLimits: boolean): Engine {
  const source = new DataSource({
    ...options,
    type: 'postgres',
    url,
    poolSize: 10,
    ...(timeLimits && { extra: TIME_LIMITS }),
  });
  if (timeLimits) limitConnections(source);
  const enqueue = createQueue();

  async function transaction<T>(work: (manager: EntityManager) => Promise<T>, lock?: string): Promise<T> {
    const runner = source.createQueryRunner();
    const client: PoolClient = await runner.connect();
    try {
      await runner.startTransaction();
      if (lock) await runner.query(lock);
      const result = await work(runner.manager);
      // COMMIT of a transaction in which something failed is answered like any other, and is a ROLLBACK.
      if (client.getTransactionStatus() !== 'T') throw new DatabaseOutage('the transaction was broken off');
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await rollBack(runner, client, error);
      throw error;
    } finally {
      await runner.release();
    }
  }

  return {
    read: source.manager,
    report: source.manager,
    change: (work) => enqueue(() => transaction(work, TAKE_CHANGE_LOCK)),
    append: transaction,
    async open({ migrate: toMigrate }) {
      if (toMigrate) await migrate({ ...options, type: 'postgres', url, poolSize: 2 });
      if (!source.isInitialized) await source.initialize();
      await refuseNewerSchema(source, 'DATABASE_URL');
    },
    async close() {
      if (source.isInitialized) await source.destroy();
    },
    proveWriting: async () => undefined,
  };
}

/** A connection that cannot even roll back, or leads to a standby, does not return to the pool. */
async function rollBack(runner: QueryRunner, client: PoolClient, error: unknown): Promise<void> {
  const rolledBack = await runner.rollbackTransaction().then(
    () => true,
    () => false,
  );
  if (!rolledBack || codeOf(error) === READ_ONLY) drop(client);
}

/** Closes the connection: the pool discards it, and the server rolls its transaction back. */
function drop(client: PoolClient): void {
  client.end().catch(() => undefined);
}

/** Limits the wait for a pooled connection, and each query, to the time that the call has left. */
function limitConnections({ driver }: DataSource): void {
  const limited = new WeakSet<PoolClient>();
  const pool = driver as PostgresDriver;
  const obtain = pool.obtainMasterConnection.bind(pool);
  pool.obtainMasterConnection = async () => {
    let late = false;
    // Called by `withDeadline` only when there is time left.
    const obtainOrRelease = () => {
      const obtained = obtain();
      // Arrived after the deadline: return it to the pool.
      obtained.then(([, release]) => late && release()).catch(() => undefined);
      return obtained;
    };
    try {
      const [client, release] = await withDeadline(obtainOrRelease, {
        what: 'connection',
        expire: () => (late = true),
      });
      if (!limited.has(client)) limitQueries(client);
      limited.add(client);
      return [client, release];
    } catch (error) {
      throw error instanceof DatabaseOutage ? error : outageOf(error);
    }
  };
}

/**
 * Drops the connection of a query that timed out: its result may still arrive and must not be taken for the next one's.
 */
function limitQueries(client: PoolClient): void {
  const query: (...args: unknown[]) => Promise<unknown> = client.query.bind(client);
  const limited = async (...args: unknown[]): Promise<unknown> => {
    try {
      return await withDeadline(() => query(...args), {
        what: 'answer',
        limit: QUERY_TIMEOUT_MS,
        expire: () => drop(client),
      });
    } catch (error) {
      throw error instanceof DatabaseError || error instanceof DatabaseOutage ? error : outageOf(error);
    }
  };
  client.query = limited as PoolClient['query'];
}

const outageOf = (error: unknown): DatabaseOutage =>
  new DatabaseOutage(error instanceof Error ? error.message : String(error), { cause: error });
