import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

/** Adds the reason of refusals to usage. */
export class UsageReasons1700000000050 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE usage_subjects ADD COLUMN reason varchar(20) NOT NULL DEFAULT ''`);
    await runner.query('DROP INDEX usage_subjects_entity');
    await runner.query('CREATE UNIQUE INDEX usage_subjects_entity ON usage_subjects ("entityId", dimension, reason)');
  }
}
