import { In } from 'typeorm';
import type { RetentionRule } from '../../../platform/retention/retention';
import { TargetIncident } from '../target-health.entity';

const KEPT_INCIDENTS = 200;
const BATCH_ROWS = 500;
const EXCESS_INCIDENTS_SQL = `SELECT _id FROM (
    SELECT _id, ROW_NUMBER() OVER (PARTITION BY target ORDER BY "startedAt" DESC) AS place FROM target_incidents
  ) AS ranked WHERE place > ${KEPT_INCIDENTS} LIMIT ${BATCH_ROWS}`;

/** Keeps the newest incidents of each target. */
export const excessIncidentsRule: RetentionRule = {
  table: 'target_incidents',
  async removeBatch(manager) {
    const rows = await manager.query<{ _id: string }[]>(EXCESS_INCIDENTS_SQL);
    if (rows.length === 0) return false;
    await manager.delete(TargetIncident, { _id: In(rows.map(({ _id }) => _id)) });
    return rows.length === BATCH_ROWS;
  },
};
