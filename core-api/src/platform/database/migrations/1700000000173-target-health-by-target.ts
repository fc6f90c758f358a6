import type { QueryRunner } from 'typeorm';
import { createTable, integer, type Migration, nullable, text } from './column-types';

/**
 * On SQLite, stores the health results in the order of their targets, so that a write of many results changes few
 * pages. Also removes the index on `checkedAt`: each write changed it, but only the daily removal of results used it.
 */
export class TargetHealthByTarget1700000000173 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX target_health_checked');
    if (runner.connection.options.type === 'postgres') return;
    await runner.query('DROP INDEX target_health_by_confirmed');
    await runner.query('ALTER TABLE target_health RENAME TO target_health_by_row');
    await createTable(runner, {
      name: 'target_health',
      withoutRowid: true,
      columns: [
        text('target', 64, { isPrimary: true }),
        text('machineId', 36, { isPrimary: true }),
        text('state', 8),
        integer('status', nullable),
        integer('ms', nullable),
        text('checkedAt', 24),
        text('reason', 255, nullable),
        text('confirmed', 8, { default: "'unknown'" }),
        text('confirmedSince', 24, nullable),
        text('countedUntil', 24, nullable),
      ],
      indices: [{ columnNames: ['confirmed', 'target'], name: 'target_health_by_confirmed' }],
    });
    await runner.query('INSERT INTO target_health SELECT * FROM target_health_by_row ORDER BY target, "machineId"');
    await runner.query('DROP TABLE target_health_by_row');
  }
}
