import type { QueryRunner } from 'typeorm';
import { createTable, type Migration, text } from './column-types';

/** Adds the fingerprints of the secrets that belong to the database. */
export class SecretFingerprints1700000000010 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'secret_fingerprints',
      columns: [text('name', 32, { isPrimary: true }), text('fingerprint', 64)],
    });
  }
}
