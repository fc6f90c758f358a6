import type { EntityManager } from 'typeorm';
import { olderThan } from '../../platform/retention/older-than';
import type { RetentionRule } from '../../platform/retention/retention';
import { DAY_MS } from '../../platform/time/units';

const KEPT_DAYS = 400;
const KEPT_INCIDENTS = 200;
const BATCH_ROWS = 500;

/** Removes one day per batch, the oldest first. */
const daysRetention: RetentionRule = {
  table: 'target_days',
  async removeBatch(manager: EntityManager, now: number) {
    const oldestKept = new Date(now - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10);
    const [oldest]: { day: string | null }[] = await manager.query('SELECT MIN(day) AS day FROM target_days');
    if (!oldest?.day || oldest.day >= oldestKept) return false;
    await manager.query('DELETE FROM target_days WHERE day = $1', [oldest.day]);
    return true;
  },
};

/** Keeps the newest incidents of each target. */
const incidentsRetention: RetentionRule = {
  table: 'target_incidents',
  async removeBatch(manager: EntityManager) {
    const rows: { _id: string }[] = await manager.query(
      `SELECT _id FROM (
         SELECT _id, ROW_NUMBER() OVER (PARTITION BY target ORDER BY "startedAt" DESC) AS place FROM target_incidents
       ) AS ranked WHERE place > ${KEPT_INCIDENTS} LIMIT ${BATCH_ROWS}`,
    );
    if (rows.length === 0) return false;
    const places = rows.map((_, index) => `$${index + 1}`).join(', ');
    await manager.query(
      `DELETE FROM target_incidents WHERE _id IN (${places})`,
      rows.map(({ _id }) => _id),
    );
    return rows.length === BATCH_ROWS;
  },
};

/** Removes results of targets that no host uses any more. They are no longer checked, so their rows age. */
export const targetHealthRetention = [
  olderThan({ table: 'target_health', key: 'target', column: 'checkedAt', keepMs: DAY_MS }),
  daysRetention,
  incidentsRetention,
  olderThan({ table: 'target_incidents', key: '_id', column: 'startedAt', keepMs: KEPT_DAYS * DAY_MS }),
];
