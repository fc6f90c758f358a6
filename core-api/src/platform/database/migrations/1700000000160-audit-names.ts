import type { QueryRunner } from 'typeorm';
import type { Migration } from './dialect';

/** Entries are found by their entity, to read its last name. */
export class AuditNames1700000000160 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_entries_of ON audit_entries ("entityId", at)');
  }
}
