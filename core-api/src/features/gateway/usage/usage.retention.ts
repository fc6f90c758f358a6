import { createAgeRule } from '../../../platform/retention/age-rule';
import type { RetentionRule } from '../../../platform/retention/retention';
import { DAY_MS } from '../../../platform/time/relative-time';
import { type Rollup, rollups } from './rollups';

const BATCH_SUBJECTS = 100;
const UNUSED_SUBJECTS_SQL = `SELECT s.id FROM usage_subjects s
  WHERE NOT EXISTS (SELECT 1 FROM usage_days u WHERE u.subject = s.id) LIMIT ${BATCH_SUBJECTS}`;

/** Removes old counts subject by subject, because the primary key begins with the subject. */
const createCountsRule = ({ table, unitSeconds, keepSeconds }: Rollup): RetentionRule => ({
  table,
  async removeBatch(manager, now) {
    const firstKeptUnit = Math.floor((now / 1000 - keepSeconds) / unitSeconds);
    const expiredSubjects = await manager.query<{ id: number }[]>(
      `SELECT s.id FROM usage_subjects s
       WHERE EXISTS (SELECT 1 FROM ${table} u WHERE u.subject = s.id AND u."at" < $1) LIMIT ${BATCH_SUBJECTS}`,
      [firstKeptUnit],
    );
    if (expiredSubjects.length === 0) return false;
    const ids = expiredSubjects.map(({ id }) => Number(id)).join(', ');
    await manager.query(`DELETE FROM ${table} WHERE subject IN (${ids}) AND "at" < $1`, [firstKeptUnit]);
    return expiredSubjects.length === BATCH_SUBJECTS;
  },
});

/** A subject is removed after its last row of counts. Only `usage_days` is checked, because it keeps rows longest. */
const unusedSubjectsRule: RetentionRule = {
  table: 'usage_subjects',
  async removeBatch(manager) {
    const unusedSubjects = await manager.query<{ id: number }[]>(UNUSED_SUBJECTS_SQL);
    if (unusedSubjects.length === 0) return false;
    await manager.query(
      `DELETE FROM usage_subjects WHERE id IN (${unusedSubjects.map(({ id }) => Number(id)).join(', ')})`,
    );
    return unusedSubjects.length === BATCH_SUBJECTS;
  },
};

/** Retention of the usage history, and of the batch numbers of edges that no longer exist. */
export const usageRetentionRules: RetentionRule[] = [
  ...rollups.map(createCountsRule),
  unusedSubjectsRule,
  createAgeRule({ table: 'usage_batches', key: 'edgeId', column: 'deliveredAt', keepMs: 30 * DAY_MS }),
];
