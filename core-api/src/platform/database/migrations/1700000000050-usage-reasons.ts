import type { MigrationInterface, QueryRunner } from 'typeorm';

const COUNTS = ['usage_minutes', 'usage_hours', 'usage_days'];

/** Usage by the reason of each refusal. */
export class UsageReasons1700000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE usage_subjects ADD COLUMN reason varchar(20) NOT NULL DEFAULT ''`);
    await runner.query('DROP INDEX usage_subjects_entity');
    await runner.query('CREATE UNIQUE INDEX usage_subjects_entity ON usage_subjects ("entityId", dimension, reason)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of COUNTS) {
      await runner.query(`DELETE FROM ${table} WHERE subject IN (SELECT id FROM usage_subjects WHERE reason <> '')`);
    }
    await runner.query(`DELETE FROM usage_subjects WHERE reason <> ''`);
    await runner.query('DROP INDEX usage_subjects_entity');
    await runner.query('ALTER TABLE usage_subjects DROP COLUMN reason');
    await runner.query('CREATE UNIQUE INDEX usage_subjects_entity ON usage_subjects ("entityId", dimension)');
  }
}
