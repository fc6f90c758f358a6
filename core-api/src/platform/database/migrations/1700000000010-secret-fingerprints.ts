import type { MigrationInterface, QueryRunner } from 'typeorm';
import { create, text } from './dialect';

/** Fingerprints of the secrets that the database was written with. */
export class SecretFingerprints1700000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await create(runner, {
      name: 'secret_fingerprints',
      columns: [text('name', 32, { isPrimary: true }), text('fingerprint', 64)],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('secret_fingerprints');
  }
}
