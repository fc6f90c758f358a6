import { QueryFailedError } from 'typeorm';
import { createFieldError } from '../../errors/rule-error';

/** Matches `("originKey", method)=(` in PostgreSQL's detail. The error's `constraint` may be a generated name. */
const KEY_COLUMNS = /\(([^)]+)\)=\(/;
const SQLITE_COLUMNS = /UNIQUE constraint failed: (.+)$/;

/** Returns the violated unique constraint as `table(column, column)`; undefined for any other error. */
function findViolatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const { code, message, table, detail } = error.driverError as Record<string, string | undefined>;
  if (code === '23505') return `${table}(${KEY_COLUMNS.exec(detail ?? '')?.[1]?.replaceAll('"', '')})`;
  const columns = code === 'SQLITE_CONSTRAINT' && SQLITE_COLUMNS.exec(message ?? '')?.[1]?.split(', ');
  if (!columns) return undefined;
  return `${columns[0]?.split('.')[0]}(${columns.map((column) => column.split('.')[1]).join(', ')})`;
}

/** Field and message of the 409, by `table(column, column)` of the unique constraint. */
type Conflicts = Record<string, readonly [field: string, message: string]>;

/** Returns the conflict (409) of a unique violation; other errors are returned unchanged. */
export function toConflict(error: unknown, conflicts: Conflicts): unknown {
  const conflict = conflicts[findViolatedConstraint(error) ?? ''];
  return conflict ? createFieldError('conflict', ...conflict) : error;
}

/** Returns a handler for `.catch` that throws the conflict (409) of a unique violation, or the same error. */
export const mapUniqueViolation =
  (conflicts: Conflicts) =>
  (error: unknown): never => {
    throw toConflict(error, conflicts);
  };
