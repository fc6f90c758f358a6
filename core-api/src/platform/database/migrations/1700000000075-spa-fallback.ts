import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

/** Adds the option of static sites to answer navigations to unknown paths with `index.html`. */
export class SpaFallback1700000000075 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['subdomains', 'projects'])
      await runner.query(`ALTER TABLE ${table} ADD COLUMN "spaFallback" boolean NOT NULL DEFAULT true`);
  }
}
