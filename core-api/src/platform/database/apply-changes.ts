import { RuleError } from '../errors';
import type { ChangeContext } from './change-context';
import { databaseMessages as messages } from './database.messages';

/**
 * A partial update (contract §2): an absent field keeps its value, null clears an optional field. The caller removes
 * keys that the row does not have.
 */
export function applyChanges<Row extends object>(found: Row, changes: Partial<Row>): Row {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...found, ...Object.fromEntries(given) };
}

/**
 * The version of a row after an administrator's change (contract §2). Call it in the transaction that stores
 * the change.
 * @throws RuleError stale when `expectedVersion` is another version than the stored one
 */
export function nextVersion({ version }: { version: number }, { expectedVersion }: ChangeContext): number {
  if (expectedVersion !== undefined && expectedVersion !== version) throw new RuleError('stale', messages.stale);
  return version + 1;
}

/** `applyChanges` for an administrator's edit; increments the version. @throws RuleError stale */
export const editRow = <Row extends { version: number }>(
  found: Row,
  changes: Partial<Row>,
  context: ChangeContext,
): Row => ({ ...applyChanges(found, changes), version: nextVersion(found, context) });
