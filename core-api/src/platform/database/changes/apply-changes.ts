import { isDeepStrictEqual } from 'node:util';
import { RuleError } from '../../errors/rule-error';
import { databaseMessages as messages } from '../database.messages';
import type { ChangeContext } from './change-context';

/**
 * Returns a partially updated row (contract §2). An absent field keeps its value, and null clears an optional field.
 * `changes` must not have fields that the row lacks.
 */
export function applyChanges<Row extends object>(row: Row, changes: Partial<Row>): Row {
  const presentFields = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(presentFields) };
}

/**
 * Returns the version of a row after an administrator's change (contract §2). The version stays the same if no value
 * changes. The call must be in the transaction that stores the change.
 * @throws RuleError stale if `expectedVersion` is not the stored version
 */
export function computeNextVersion<Row extends { version: number }>(
  row: Row,
  changes: Partial<Row>,
  { expectedVersion }: ChangeContext,
): number {
  const { version } = row;
  if (expectedVersion !== undefined && expectedVersion !== version) throw new RuleError('stale', messages.stale);
  return isDeepStrictEqual({ ...applyChanges(row, changes) }, { ...row }) ? version : version + 1;
}

/** Applies an administrator's edit and returns the row with its next version. @throws RuleError stale */
export const editRow = <Row extends { version: number }>(
  row: Row,
  changes: Partial<Row>,
  context: ChangeContext,
): Row => ({ ...applyChanges(row, changes), version: computeNextVersion(row, changes, context) });
