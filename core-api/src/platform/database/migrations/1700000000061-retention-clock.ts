import type { QueryRunner } from 'typeorm';
import { create, integer, type Migration, text } from './dialect';

/** The time that retention has seen, so that a clock that leaps ahead removes nothing. */
export class RetentionClock1700000000061 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await create(runner, {
      name: 'retention_clock',
      columns: [integer('id', { isPrimary: true }), text('believedAt', 24), integer('doubts', { default: 0 })],
    });
  }
}
