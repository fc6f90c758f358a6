import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the DNS of a custom domain was last found to be in order. */
export class DomainOk1700000000076 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domain_status ADD COLUMN "okAt" varchar(24)');
    await runner.query(`UPDATE domain_status SET "okAt" = "checkedAt" WHERE dns = 'ok'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domain_status DROP COLUMN "okAt"');
  }
}
