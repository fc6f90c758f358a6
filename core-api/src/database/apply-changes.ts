import { RuleError } from '../errors';
import type { ChangeContext } from './change-context';
import { databaseMessages as messages } from './database.messages';

/**
 * A partial update (contract §2): what `changes` leaves out keeps its value; null clears a field that may be empty.
 * Keys that the row does not have are the caller's to take out first.
 */
export function applyChanges<Row extends object>(found: Row, changes: Partial<Row>): Row {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...found, ...Object.fromEntries(given) };
}

/**
 * The version that a person's change leaves a row with (contract §7, "People"). Asked in the transaction that
 * stores it.
 * @throws RuleError stale when the person has seen another one
 */
export function nextVersion({ version }: { version: number }, { expectedVersion }: ChangeContext): number {
  if (expectedVersion !== undefined && expectedVersion !== version) throw new RuleError('stale', messages.stale);
  return version + 1;
}

/** `applyChanges` by a person: the row is one version on. @throws RuleError stale */
export const editRow = <Row extends { version: number }>(
  found: Row,
  changes: Partial<Row>,
  context: ChangeContext,
): Row => ({ ...applyChanges(found, changes), version: nextVersion(found, context) });
