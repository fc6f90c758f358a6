import type { QueryRunner } from 'typeorm';
import { createTable, integer, type Migration, text } from './column-types';

/** Adds the last plausible time of retention, so that a clock that jumps ahead removes no rows. */
export class RetentionClock1700000000061 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'retention_clock',
      columns: [integer('id', { isPrimary: true }), text('believedAt', 24), integer('doubts', { default: 0 })],
    });
  }
}
