import { fieldError } from '../../platform/errors';
import { databaseName, isDatabaseName, MAX_DATABASE_NAME_BYTES } from '../../platform/validation/database-name';
import { tenantMessages as messages } from './tenants.messages';
import type { TenantBody } from './tenants.schema';

/**
 * The database name that was sent, or else the derived one, whose errors are reported for `name`. @throws RuleError
 * invalid
 */
export function checkDatabaseName({ name, dbName }: TenantBody, dbPrefix: string): string {
  const derived = databaseName(name, dbPrefix);
  const chosen = dbName ?? derived;
  if (isDatabaseName(chosen)) return chosen;
  if (chosen !== derived) throw fieldError('invalid', 'dbName', messages.dbName);
  const bytes = Buffer.byteLength(derived);
  const sentence =
    bytes > MAX_DATABASE_NAME_BYTES ? messages.derivedNameLong(derived, bytes) : messages.derivedNameInvalid;
  throw fieldError('invalid', 'name', sentence);
}
