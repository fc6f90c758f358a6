import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

const COLUMNS = [
  `"issuedAt" varchar(24)`,
  `"knownFound" text NOT NULL DEFAULT '[]'`,
  `"changedAt" varchar(24)`,
  `"changedChecks" integer NOT NULL DEFAULT 0`,
];

/** Adds the known addresses of a domain, their last change, and the start of its certificate's validity. */
export class DomainChanges1700000000130 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE domain_status ADD COLUMN ${column}`);
  }
}
