import type { MigrationInterface, QueryRunner } from 'typeorm';
import { create, integer, text } from './dialect';

/** The time that retention has seen, so that a clock that leaps ahead removes nothing. */
export class RetentionClock1700000000061 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await create(runner, {
      name: 'retention_clock',
      columns: [integer('id', { isPrimary: true }), text('believedAt', 24), integer('doubts', { default: 0 })],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('retention_clock');
  }
}
