import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a static site answers navigations to unknown paths with its `index.html`. */
export class SpaFallback1700000000075 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['subdomains', 'projects'])
      await runner.query(`ALTER TABLE ${table} ADD COLUMN "spaFallback" boolean NOT NULL DEFAULT true`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['subdomains', 'projects'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN "spaFallback"`);
  }
}
