import { DAY_MS } from '../../../platform/time/relative-time';
import type { DomainStatus } from './domain-status.entity';

type ChangeState = Pick<DomainStatus, 'knownFound' | 'changedAt' | 'changedChecks'>;

const hasSameRecords = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((record) => b.includes(record));

/**
 * Tracks the records of a domain that has no expected addresses. New records that share an address with the known
 * records do not count as changed, because a CDN varies its addresses. Changed records count as known after a day.
 * @param records the complete records, not empty
 */
export function trackRecordChange(
  { knownFound, changedAt, changedChecks, found: previousRecords }: ChangeState & Pick<DomainStatus, 'found'>,
  records: string[],
  nowMs: number,
): ChangeState {
  const isKnown = knownFound.length === 0 || records.some((record) => knownFound.includes(record));
  const isAccepted = changedAt !== null && nowMs - Date.parse(changedAt) > DAY_MS;
  if (isKnown || isAccepted) return { knownFound: records, changedAt: null, changedChecks: 0 };
  const isRepeated = changedAt !== null && hasSameRecords(records, previousRecords);
  return {
    knownFound,
    changedAt: isRepeated ? changedAt : new Date(nowMs).toISOString(),
    changedChecks: isRepeated ? changedChecks + 1 : 1,
  };
}
