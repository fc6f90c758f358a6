import { QueryFailedError } from 'typeorm';
import { fieldError } from '../errors';

/** Of PostgreSQL's detail, in whatever language: `Key ("originKey", method)=(…) already exists.` */
const KEY_COLUMNS = /\(([^)]+)\)=\(/;
const SQLITE_COLUMNS = /UNIQUE constraint failed: (.+)$/;

/** The unique constraint that a write broke, as `table(column, column)`; nothing for any other failure. */
function brokenConstraint(error: unknown): string | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const { code, message, table, detail } = error.driverError as Record<string, string | undefined>;
  if (code === '23505') return `${table}(${KEY_COLUMNS.exec(detail ?? '')?.[1]?.replaceAll('"', '')})`;
  const columns = code === 'SQLITE_CONSTRAINT' && SQLITE_COLUMNS.exec(message ?? '')?.[1]?.split(', ');
  if (!columns) return undefined;
  return `${columns[0]?.split('.')[0]}(${columns.map((column) => column.split('.')[1]).join(', ')})`;
}

/** Field of the request and sentence, by `table(column, column)` of the unique constraint. */
type Conflicts = Record<string, readonly [field: string, sentence: string]>;

/** For `.catch` of a write: the broken constraint's own conflict (409); any other error stays. */
export const takenAs =
  (conflicts: Conflicts) =>
  (error: unknown): never => {
    const conflict = conflicts[brokenConstraint(error) ?? ''];
    throw conflict ? fieldError('conflict', ...conflict) : error;
  };
