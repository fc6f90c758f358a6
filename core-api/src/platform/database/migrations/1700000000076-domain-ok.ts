import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

/** Adds the time at which the DNS of a custom domain was last correct. */
export class DomainOk1700000000076 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domain_status ADD COLUMN "okAt" varchar(24)');
    await runner.query(`UPDATE domain_status SET "okAt" = "checkedAt" WHERE dns = 'ok'`);
  }
}
