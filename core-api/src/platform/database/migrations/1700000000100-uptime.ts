import type { QueryRunner } from 'typeorm';
import { createTable, id, integer, type Migration, nullable, text } from './column-types';

const seconds = (name: string) => ({ name, type: 'double precision', default: 0 });

/** Adds the health of targets by machine, and the history of their uptime and outages. */
export class Uptime1700000000100 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // The table holds the last check of each target, so a new table is complete after one interval of checks.
    await runner.dropTable('target_health');
    await createTable(runner, {
      name: 'target_health',
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
      indices: [
        { columnNames: ['checkedAt'], name: 'target_health_checked' },
        { columnNames: ['confirmed'], name: 'target_health_confirmed' },
      ],
    });
    await createTable(runner, {
      name: 'target_days',
      columns: [
        text('target', 64, { isPrimary: true }),
        text('machineId', 36, { isPrimary: true }),
        text('day', 10, { isPrimary: true }),
        seconds('upSeconds'),
        seconds('downSeconds'),
        seconds('unknownSeconds'),
      ],
      indices: [{ columnNames: ['day'], name: 'target_days_day' }],
    });
    await createTable(runner, {
      name: 'target_incidents',
      columns: [
        id(),
        text('target', 64),
        text('machineId', 36),
        text('startedAt', 24),
        text('endedAt', 24, nullable),
        text('reason', 255, nullable),
      ],
      indices: [{ columnNames: ['target', 'startedAt'], name: 'target_incidents_target' }],
    });
  }
}
