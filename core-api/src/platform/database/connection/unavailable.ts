import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { getErrorCode } from '../../errors/error-details';

/** Thrown if the database could not be reached or did not answer in time, or while its writer is being reopened. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';
}

/**
 * Codes of retryable errors. SQLite: locked, full, read-only or unreadable, or a connection that is being reopened.
 * PostgreSQL: classes 08 (connection), 53 (resources), 57 (operator intervention) and 58 (system); 40001, 40P01 and
 * 55P03 (serialization failure, deadlock, lock time-out); 28000 and 28P01 (login refused after a change of password);
 * 25006 (a server that became a standby); 25P03 (idle transaction ended); 23001 and 23503 (foreign key violation by a
 * concurrent delete or insert, which the next attempt sees). `E…`: errors of sockets and DNS.
 */
const RETRYABLE_CODES =
  /^(DATABASE_UNAVAILABLE|SQLITE_(BUSY|FULL|LOCKED|IOERR|READONLY|CANTOPEN|MISUSE)|(08|53|57|58)...|23001|23503|25006|25P03|28000|28P01|40001|40P01|55P03|E(CONN(REFUSED|RESET)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;

/** Returns the code of a database or socket error; '' for an error without a code. */
export function getDatabaseErrorCode(error: unknown): string {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return getErrorCode(cause);
}

/** Returns whether the database is unavailable, so that the call may be retried soon. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  // TypeORM throws one of these two errors if the connection ended between two queries.
  error instanceof QueryRunnerAlreadyReleasedError ||
  error instanceof QueryRunnerProviderAlreadyReleasedError ||
  RETRYABLE_CODES.test(getDatabaseErrorCode(error));
