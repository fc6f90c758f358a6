import type { QueryRunner } from 'typeorm';
import { createTable, type Migration, nullable, text } from './column-types';

/** Adds upload URLs, each of which accepts one publication. */
export class SiteUploads1700000000114 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'site_uploads',
      columns: [
        text('digest', 64, { isPrimary: true }),
        text('ownerKind', 12),
        text('ownerId', 36),
        text('accountId', 36),
        { name: 'activates', type: 'boolean' },
        text('message', 500, nullable),
        text('usedAt', 24, nullable),
        text('versionId', 36, nullable),
        text('expiresAt', 24),
      ],
      indices: [{ columnNames: ['expiresAt'], name: 'site_uploads_expires' }],
    });
  }
}
