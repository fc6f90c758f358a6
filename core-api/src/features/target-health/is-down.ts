import type { EntityManager } from 'typeorm';
import { toSecondsSql } from '../../platform/database/queries/dialect';

/** A machine counts as removed if its row is this much older than its target's newest row. */
export const MAX_RESULT_AGE_MS = 40 * 60_000;

/** SQL condition of a target whose last check failed on an existing machine. @param key SQL of the target's key */
export const createIsDownSql = (manager: EntityManager, key: string): string =>
  `EXISTS (SELECT 1 FROM target_health AS result WHERE result.target = ${key} AND result.state = 'down'
    AND NOT EXISTS (SELECT 1 FROM target_health AS newer WHERE newer.target = result.target
      AND newer."machineId" <> result."machineId" AND
      ${toSecondsSql(manager, 'newer."checkedAt"')} - ${toSecondsSql(manager, 'result."checkedAt"')} >= ${MAX_RESULT_AGE_MS / 1000}))`;
