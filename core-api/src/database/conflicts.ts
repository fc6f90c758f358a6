import { QueryFailedError } from 'typeorm';
import { RuleError } from '../http/errors';

/** True when a write broke a unique constraint, on either dialect. */
function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { code, message } = error.driverError as { code?: string; message?: string };
  return code === '23505' || (code === 'SQLITE_CONSTRAINT' && /UNIQUE constraint failed/.test(message ?? ''));
}

/** For `.catch`: turns a broken unique constraint into a conflict with `sentence` at `field`; any other error stays. */
export const takenAs =
  (field: string, sentence: string) =>
  (error: unknown): never => {
    throw isUniqueViolation(error) ? new RuleError('conflict', sentence, { fields: { [field]: sentence } }) : error;
  };
