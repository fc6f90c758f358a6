import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';

/** The database could not be asked, did not answer in time, or is not trusted just now. */
export class DatabaseOutage extends Error {
  readonly code = 'DATABASE_OUTAGE';
}

/**
 * Retryable. SQLite: locked, full, read-only or unreadable, and a connection that is being reopened. PostgreSQL: the
 * classes 08 (connection), 53 (resources), 57 (operator intervention) and 58 (system); 40001, 40P01 and 55P03
 * (serialization failure, deadlock, lock timeout); 28000 and 28P01, a login refused after a change of password; 25006, a
 * server that became a standby; 25P03, an idle transaction that was ended; 23001 and 23503, a foreign key violation
 * caused by a concurrent delete or insert: the next try sees it.
 */
const CODES =
  /^(DATABASE_OUTAGE|SQLITE_(BUSY|FULL|LOCKED|IOERR|READONLY|CANTOPEN|MISUSE)|(08|53|57|58)...|23001|23503|25006|25P03|28000|28P01|40001|40P01|55P03|E(CONN(REFUSED|RESET)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;

/** Code of the database or of the connection to it; empty for all else. */
export function codeOf(error: unknown): string {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** The database is unavailable: the call may be retried soon. */
export const isOutage = (error: unknown): boolean =>
  // TypeORM drops the connection that broke while it waited for the next question.
  error instanceof QueryRunnerAlreadyReleasedError || CODES.test(codeOf(error));
