import type { EntityManager, EntityTarget, FindManyOptions, ObjectLiteral } from 'typeorm';

const isPostgres = ({ connection }: EntityManager): boolean => connection.options.type === 'postgres';

/** Returns whether several cores may use this database at the same time. SQLite belongs to one core. */
export const isSharedDatabase = isPostgres;

/** Returns the SQL expression of an instant (ISO 8601 UTC) in seconds since the epoch, on SQLite in whole seconds. */
export const toSecondsSql = (manager: EntityManager, column: string): string =>
  isPostgres(manager) ? `EXTRACT(EPOCH FROM ${column}::timestamptz)` : `unixepoch(${column})`;

/**
 * Waits for the lock with this name and holds it until the transaction ends. SQLite has one writer, so there is nothing
 * to wait for.
 */
export async function lockByName(manager: EntityManager, name: string): Promise<void> {
  if (isPostgres(manager)) await manager.query('SELECT pg_advisory_xact_lock(hashtext($1))', [name]);
}

/**
 * Locks rows for the current transaction and returns them, without rows that another transaction has locked. SQLite
 * needs no locks, because it has one writer.
 */
export const claimBatch = <Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  options: FindManyOptions<Row>,
): Promise<Row[]> =>
  manager.find(entity, {
    ...options,
    ...(isPostgres(manager) && { lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' } as const }),
  });
