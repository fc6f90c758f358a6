import type { QueryRunner } from 'typeorm';
import { counter, createTable, id, integer, longText, type Migration, nullable, text } from './column-types';

/** Adds versions of sites, their content, and the choice of a site between its folder and a version. */
export class SiteVersions1700000000090 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'site_versions',
      columns: [
        id(),
        text('ownerKind', 12),
        text('ownerId', 36),
        integer('number'),
        text('state', 12),
        { name: 'activates', type: 'boolean', default: true },
        text('name', 255),
        longText('manifest'),
        text('manifestDigest', 64, nullable),
        integer('files'),
        counter('bytes'),
        text('message', 500, nullable),
        text('actor', 100),
        text('createdAt', 24),
        { name: 'pinned', type: 'boolean', default: false },
        text('previewHost', 63, nullable),
        text('previewPasswordHash', 255, nullable),
        text('previewExpiresAt', 24, nullable),
      ],
      indices: [
        { columnNames: ['ownerId', 'number'], isUnique: true, name: 'site_versions_number' },
        { columnNames: ['previewHost'], isUnique: true, name: 'site_versions_preview' },
        { columnNames: ['createdAt'], name: 'site_versions_created' },
      ],
    });
    await createTable(runner, {
      name: 'site_activations',
      columns: [id(), text('ownerKind', 12), text('ownerId', 36), text('versionId', 36), text('at', 24)],
      indices: [{ columnNames: ['ownerId', 'at'], name: 'site_activations_owner' }],
    });
    await createTable(runner, {
      name: 'content',
      columns: [text('digest', 64, { isPrimary: true }), counter('size'), text('seenAt', 24)],
      indices: [{ columnNames: ['seenAt'], name: 'content_seen' }],
    });
    // The bytes are stored in base64, so that both databases have the same type of column.
    await createTable(runner, {
      name: 'content_parts',
      columns: [text('digest', 64, { isPrimary: true }), integer('part', { isPrimary: true }), longText('bytes')],
    });
    await createTable(runner, {
      name: 'content_holders',
      columns: [text('versionId', 36, { isPrimary: true }), text('machineId', 36, { isPrimary: true })],
    });
    for (const [table, source] of [
      ['subdomains', 'folder'],
      ['projects', 'folder'],
      ['tenants', 'project'],
    ]) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN source varchar(8) NOT NULL DEFAULT '${source}'`);
      await runner.query(`ALTER TABLE ${table} ADD COLUMN "versionId" varchar(36)`);
    }
    await runner.query(
      `ALTER TABLE host_claims ADD COLUMN "versionId" varchar(36) REFERENCES site_versions(_id) ON DELETE CASCADE`,
    );
  }
}
