import type { QueryRunner } from 'typeorm';
import { cascade, createTable, id, integer, longText, type Migration, nullable, text } from './column-types';

const STATUS_COLUMNS = `dns, found, "certificateState", issuer, "expiresAt", "checkedAt", "nextCheckAt", "watchedSince", checks, "okAt"`;

/** Rebuilds `domain_status`, because a status now belongs to a domain and SQLite cannot change a foreign key. */
async function rebuildStatus(runner: QueryRunner): Promise<void> {
  await runner.query('CREATE TABLE domain_status_before AS SELECT * FROM domain_status');
  await runner.dropTable('domain_status');
  await createTable(runner, {
    name: 'domain_status',
    columns: [
      text('host', 257, { isPrimary: true }),
      text('domain', 253),
      text('dns', 8),
      longText('found'),
      text('certificateState', 8),
      text('issuer', 255, nullable),
      text('expiresAt', 24, nullable),
      text('checkedAt', 24, nullable),
      text('nextCheckAt', 24, nullable),
      text('watchedSince', 24),
      integer('checks'),
      text('okAt', 24, nullable),
    ],
    foreignKeys: [cascade('domain', 'site_domains', 'host')],
    indices: [
      { columnNames: ['domain'], name: 'domain_status_owner' },
      { columnNames: ['nextCheckAt'], name: 'domain_status_due' },
    ],
  });
  await runner.query(
    `INSERT INTO domain_status (host, domain, ${STATUS_COLUMNS})
      SELECT before.host, known.host, ${STATUS_COLUMNS.replaceAll(/("?\w+"?)(,|$)/g, 'before.$1$2')}
      FROM domain_status_before AS before JOIN site_domains AS known ON known."ownerId" = before."tenantId"`,
  );
  await runner.dropTable('domain_status_before');
}

/** Moves domains into a separate table. The domain of a tenant becomes its primary domain. */
export class SiteDomains1700000000110 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'site_domains',
      columns: [
        id(),
        text('host', 253),
        text('ownerKind', 12),
        text('ownerId', 36),
        text('role', 8),
        text('to', 253, nullable),
        text('wwwMode', 8),
        text('createdAt', 24),
      ],
      foreignKeys: [cascade('host', 'host_claims', 'host')],
      indices: [
        { columnNames: ['host'], isUnique: true, name: 'site_domains_host' },
        { columnNames: ['ownerId'], name: 'site_domains_owner' },
        { columnNames: ['to'], name: 'site_domains_to' },
      ],
    });
    await runner.query(
      `INSERT INTO site_domains (_id, host, "ownerKind", "ownerId", role, "to", "wwwMode", "createdAt")
        SELECT _id, "customDomain", 'tenant', _id, 'primary', NULL, "wwwMode", "createdAt"
        FROM tenants WHERE "customDomain" IS NOT NULL`,
    );
    await rebuildStatus(runner);
    await runner.query('ALTER TABLE released_domains RENAME COLUMN "tenantId" TO "ownerId"');
    await runner.query('DROP INDEX tenants_custom_domain');
    await runner.query('ALTER TABLE tenants DROP COLUMN "customDomain"');
    await runner.query('ALTER TABLE tenants DROP COLUMN "wwwMode"');
  }
}
