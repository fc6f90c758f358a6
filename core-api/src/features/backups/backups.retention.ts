import { olderThan } from '../../platform/retention/older-than';
import { DAY_MS } from '../../platform/time/units';

const KEPT_DAYS = 400;

/** Runs whose object is removed, or that stored none. */
export const backupsRetention = [
  olderThan({
    table: 'backup_runs',
    key: '_id',
    column: 'startedAt',
    keepMs: KEPT_DAYS * DAY_MS,
    where: '("removedAt" IS NOT NULL OR sha256 IS NULL)',
  }),
];
