import { type EntityManager, In, LessThan } from 'typeorm';
import { chunks } from '../../../platform/chunks';
import { insertAll } from '../../../platform/database/insert-all';
import { type CountedSubject, type MinuteCounts, toSubjectKey } from '../../../platform/usage/counted-subject';
import { type Rollup, rollups } from './rollups';
import { countColumns, latencyColumns } from './sums';
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

/**
 * Adds counts to the history, in the transaction of `manager`. Rows are written in a fixed order, so that two edges
 * cannot deadlock.
 */
export async function recordUsage(manager: EntityManager, usage: readonly CountedSubject[]): Promise<void> {
  const ids = await findOrCreateSubjectIds(manager, usage);
  for (const { table, unitSeconds } of rollups) {
    const sums = new Map<string, CountsRow>();
    for (const { minutes, ...subjectUsage } of usage) {
      const subject = ids.get(toSubjectKey(subjectUsage)) ?? 0;
      for (const minute of minutes) {
        const at = Math.floor(Date.parse(minute.minute) / (unitSeconds * 1000));
        const sum = sums.get(`${subject} ${at}`) ?? { subject, at, values: countColumns.map(() => 0) };
        for (const [index, value] of toColumnValues(minute).entries())
          sum.values[index] = (sum.values[index] ?? 0) + value;
        sums.set(`${subject} ${at}`, sum);
      }
    }
    const rows = [...sums.values()].sort((a, b) => a.subject - b.subject || a.at - b.at);
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
