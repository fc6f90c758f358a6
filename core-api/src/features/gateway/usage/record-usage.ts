import { type EntityManager, In, LessThan } from 'typeorm';
import { chunks } from '../../../platform/collections/chunks';
import { insertAll } from '../../../platform/database/queries/insert-all';
import { type CountedSubject, type MinuteCounts, toSubjectKey } from '../../../platform/usage/counted-subject';
import { countColumns, latencyColumns } from './count-columns';
import { MINUTE_S, type Rollup, rollups } from './rollups';
import { UsageBatch, UsageSubject } from './usage.entity';

interface CountsRow {
  subject: number;
  at: number;
  values: number[];
}

/** SQL that adds rows to the stored counts. The values are integers from `Math.round`, so they need no parameters. */
const addCountsSql = (table: Rollup['table'], rows: readonly CountsRow[]): string => `
  INSERT INTO ${table} (subject, "at", ${countColumns.map((column) => `"${column}"`).join(', ')})
  VALUES ${rows.map(({ subject, at, values }) => `(${[subject, at, ...values].join(', ')})`).join(', ')}
  ON CONFLICT (subject, "at") DO UPDATE SET
    ${countColumns.map((column) => `"${column}" = ${table}."${column}" + excluded."${column}"`).join(', ')}`;

const toColumnValues = ({ requests, errors4xx, errors5xx, refused, durationMs, latency }: MinuteCounts): number[] =>
  [requests, errors4xx, errors5xx, refused, durationMs, ...latencyColumns.map((_, index) => latency[index] ?? 0)].map(
    (count) => Math.round(Number(count)),
  );

/** Returns ids by `toSubjectKey`, and inserts missing subjects. */
async function findOrCreateSubjectIds(
  manager: EntityManager,
  usage: readonly CountedSubject[],
): Promise<Map<string, number>> {
  const findIds = async () => {
    const rows: UsageSubject[] = [];
    for (const chunk of chunks(usage)) {
      const entityId = In(chunk.map((subject) => subject.entityId));
      rows.push(...(await manager.findBy(UsageSubject, { entityId })));
    }
    return new Map(rows.map((subject) => [toSubjectKey(subject), subject.id]));
  };
  const knownIds = await findIds();
  const missingSubjects = new Map<string, Omit<CountedSubject, 'minutes'>>();
  for (const { dimension, entityId, reason = '' } of usage) {
    const subject = { dimension, entityId, reason };
    if (!knownIds.has(toSubjectKey(subject))) missingSubjects.set(toSubjectKey(subject), subject);
  }
  if (missingSubjects.size === 0) return knownIds;
  const rows = [...missingSubjects.values()].sort((a, b) => (toSubjectKey(a) < toSubjectKey(b) ? -1 : 1));
  // An insert cannot return ids of rows that another edge inserts at the same time, so `findIds` reads all ids again.
  await insertAll(manager, UsageSubject, rows, { ignoreExisting: true });
  return findIds();
}

/** Adds counts to the sum of their subject and unit of time. Nested maps with number keys are faster than text keys. */
function addCounts(sums: Map<number, Map<number, CountsRow>>, { subject, at, values }: CountsRow): void {
  const units = sums.get(subject) ?? new Map<number, CountsRow>();
  const sum = units.get(at);
  if (sum)
    for (let index = 0; index < values.length; index += 1)
      sum.values[index] = (sum.values[index] ?? 0) + (values[index] ?? 0);
  else units.set(at, { subject, at, values: [...values] });
  sums.set(subject, units);
}

/** Sums counts by subject and by unit of `unitSeconds`. @param rows counts by minute */
function sumByUnit(rows: Iterable<CountsRow>, unitSeconds: number): CountsRow[] {
  const sums = new Map<number, Map<number, CountsRow>>();
  for (const { subject, at, values } of rows)
    addCounts(sums, { subject, at: Math.floor((at * MINUTE_S) / unitSeconds), values });
  return [...sums.values()].flatMap((units) => [...units.values()]);
}

function* toMinuteRows(usage: readonly CountedSubject[], ids: Map<string, number>): Generator<CountsRow> {
  for (const { minutes, ...subjectUsage } of usage) {
    const subject = ids.get(toSubjectKey(subjectUsage));
    if (subject === undefined) throw new Error(`no stored subject for ${toSubjectKey(subjectUsage)}`);
    for (const minute of minutes) {
      const at = Math.floor(Date.parse(minute.minute) / (MINUTE_S * 1000));
      yield { subject, at, values: toColumnValues(minute) };
    }
  }
}

/**
 * Adds counts to the history, in the transaction of `manager`. Rows are written in a fixed order, so that two edges
 * cannot deadlock.
 */
export async function recordUsage(manager: EntityManager, usage: readonly CountedSubject[]): Promise<void> {
  const ids = await findOrCreateSubjectIds(manager, usage);
  const minuteRows = sumByUnit(toMinuteRows(usage, ids), MINUTE_S);
  for (const { table, unitSeconds } of rollups) {
    const rows = sumByUnit(minuteRows, unitSeconds).sort((a, b) => a.subject - b.subject || a.at - b.at);
    for (const chunk of chunks(rows)) await manager.query(addCountsSql(table, chunk));
  }
}

/**
 * Claims a numbered batch of an edge, in the transaction that stores it. A batch that is sent twice is stored once.
 * @returns false for a batch that is already stored
 */
export async function claimUsageBatch(manager: EntityManager, edgeId: string, sequence: number): Promise<boolean> {
  const deliveredAt = new Date().toISOString();
  await insertAll(manager, UsageBatch, [{ edgeId, sequence: 0, deliveredAt }], { ignoreExisting: true });
  const { affected } = await manager.update(
    UsageBatch,
    { edgeId, sequence: LessThan(sequence) },
    { sequence, deliveredAt },
  );
  return affected !== 0;
}
