import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a contact message was answered. */
export class AnsweredMessages1700000000150 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contact_messages ADD COLUMN "answeredAt" varchar(24)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contact_messages DROP COLUMN "answeredAt"');
  }
}
