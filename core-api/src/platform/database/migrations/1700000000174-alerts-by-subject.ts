import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A list of mutes shows the name in the newest alert of each subject. */
export class AlertsBySubject1700000000174 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX alerts_by_subject ON alerts ("subjectId", "firedAt")');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX alerts_by_subject');
  }
}
