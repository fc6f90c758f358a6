import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Domains whose checks had ended after a week are checked again. */
export class DomainsForGood1700000000103 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const now = new Date().toISOString();
    await runner.query(`UPDATE domain_status SET "nextCheckAt" = '${now}' WHERE "nextCheckAt" IS NULL`);
  }

  async down(): Promise<void> {
    // The next check of each host ends its checks again where they had ended.
  }
}
