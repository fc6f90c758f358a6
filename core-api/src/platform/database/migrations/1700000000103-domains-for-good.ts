import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

/** Schedules checks for domains whose checks had ended after a week. */
export class DomainsForGood1700000000103 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    const now = new Date().toISOString();
    await runner.query(`UPDATE domain_status SET "nextCheckAt" = '${now}' WHERE "nextCheckAt" IS NULL`);
  }
}
