import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

/** Adds the time at which a contact message was answered. */
export class AnsweredMessages1700000000150 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contact_messages ADD COLUMN "answeredAt" varchar(24)');
  }
}
