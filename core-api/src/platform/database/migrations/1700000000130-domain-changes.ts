import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  `"issuedAt" varchar(24)`,
  `"knownFound" text NOT NULL DEFAULT '[]'`,
  `"changedAt" varchar(24)`,
  `"changedChecks" integer NOT NULL DEFAULT 0`,
];

/** The known addresses of a domain, their change, and the begin of its certificate. */
export class DomainChanges1700000000130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE domain_status ADD COLUMN ${column}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE domain_status DROP COLUMN ${column.split(' ')[0]}`);
  }
}
