import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

/** Adds the index that finds the newest name of an entity in the audit trail. */
export class AuditNames1700000000160 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_entries_of ON audit_entries ("entityId", at)');
  }
}
