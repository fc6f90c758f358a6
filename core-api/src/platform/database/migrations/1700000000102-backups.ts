import type { QueryRunner } from 'typeorm';
import { counter, createTable, id, integer, longText, type Migration, nullable, text } from './column-types';

/** Adds the backup plan, and the backups with their stored objects. */
export class Backups1700000000102 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'backup_plan',
      columns: [
        integer('id', { isPrimary: true }),
        text('schedule', 100, nullable),
        text('scheduledSince', 24),
        integer('keepDaily', { default: 7 }),
        integer('keepWeekly', { default: 4 }),
        integer('keepMonthly', { default: 6 }),
        text('folder', 1024, nullable),
        longText('s3', nullable),
        longText('secretAccessKey'),
        longText('passphrase'),
        integer('version', { default: 1 }),
      ],
    });
    await runner.query(
      `INSERT INTO backup_plan (id, "scheduledSince", "secretAccessKey", passphrase)
       VALUES (1, '2026-01-01T00:00:00.000Z', '', '')`,
    );
    await createTable(runner, {
      name: 'backup_runs',
      columns: [
        id(),
        { name: 'running', type: 'boolean' },
        text('machineId', 36),
        text('heartbeatAt', 24),
        text('trigger', 16),
        text('outcome', 16, nullable),
        text('reason', 500, nullable),
        text('startedAt', 24),
        text('endedAt', 24, nullable),
        text('verifiedAt', 24, nullable),
        text('objectName', 255),
        text('location', 2048),
        counter('bytes'),
        text('sha256', 64, nullable),
        longText('tables'),
        longText('access'),
        text('removedAt', 24, nullable),
      ],
      indices: [
        { columnNames: ['startedAt'], name: 'backup_runs_started' },
        { columnNames: ['endedAt'], name: 'backup_runs_ended' },
      ],
    });
  }
}
