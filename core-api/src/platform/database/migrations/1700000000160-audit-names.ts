import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries are found by their entity, to read its last name. */
export class AuditNames1700000000160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_entries_of ON audit_entries ("entityId", at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_entries_of');
  }
}
