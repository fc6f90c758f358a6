import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

/** Adds an index for the list of mutes, which shows the name in the newest alert of each subject. */
export class AlertsBySubject1700000000174 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX alerts_by_subject ON alerts ("subjectId", "firedAt")');
  }
}
