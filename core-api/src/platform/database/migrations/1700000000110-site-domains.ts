import type { MigrationInterface, QueryRunner } from 'typeorm';
import { create, id, integer, longText, nullable, text } from './dialect';

const STATUS_COLUMNS = `dns, found, "certificateState", issuer, "expiresAt", "checkedAt", "nextCheckAt", "watchedSince", checks, "okAt"`;

/** Gives `domain_status` another owner column: neither database can change a foreign key in place. */
async function rebuildStatus(
  runner: QueryRunner,
  owner: { column: string; length: number; table: string; key: string },
  rows: { owner: string; join: string },
): Promise<void> {
  await runner.query('CREATE TABLE domain_status_before AS SELECT * FROM domain_status');
  await runner.dropTable('domain_status');
  await create(runner, {
    name: 'domain_status',
    columns: [
      text('host', 257, { isPrimary: true }),
      text(owner.column, owner.length),
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
    foreignKeys: [
      {
        columnNames: [owner.column],
        referencedTableName: owner.table,
        referencedColumnNames: [owner.key],
        onDelete: 'CASCADE',
      },
    ],
    indices: [
      { columnNames: [owner.column], name: 'domain_status_owner' },
      { columnNames: ['nextCheckAt'], name: 'domain_status_due' },
    ],
  });
  await runner.query(
    `INSERT INTO domain_status (host, "${owner.column}", ${STATUS_COLUMNS})
      SELECT before.host, ${rows.owner}, ${STATUS_COLUMNS.replaceAll(/("?\w+"?)(,|$)/g, 'before.$1$2')}
      FROM domain_status_before AS before JOIN ${rows.join}`,
  );
  await runner.dropTable('domain_status_before');
}

/** Domains of tenants and subdomains in a table of their own. The domain of a tenant becomes its primary one. */
export class SiteDomains1700000000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await create(runner, {
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
      foreignKeys: [
        {
          columnNames: ['host'],
          referencedTableName: 'host_claims',
          referencedColumnNames: ['host'],
          onDelete: 'CASCADE',
        },
      ],
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
    await rebuildStatus(
      runner,
      { column: 'domain', length: 253, table: 'site_domains', key: 'host' },
      { owner: 'known.host', join: 'site_domains AS known ON known."ownerId" = before."tenantId"' },
    );
    await runner.query('ALTER TABLE released_domains RENAME COLUMN "tenantId" TO "ownerId"');
    await runner.query('DROP INDEX tenants_custom_domain');
    await runner.query('ALTER TABLE tenants DROP COLUMN "customDomain"');
    await runner.query('ALTER TABLE tenants DROP COLUMN "wwwMode"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenants ADD COLUMN "customDomain" varchar(253)');
    await runner.query(`ALTER TABLE tenants ADD COLUMN "wwwMode" varchar(8) NOT NULL DEFAULT 'serve'`);
    const primary = `FROM site_domains WHERE "ownerId" = tenants._id AND role = 'primary'`;
    await runner.query(
      `UPDATE tenants SET "customDomain" = (SELECT host ${primary}), "wwwMode" = (SELECT "wwwMode" ${primary})
        WHERE EXISTS (SELECT 1 ${primary})`,
    );
    await runner.query('CREATE UNIQUE INDEX tenants_custom_domain ON tenants ("customDomain")');
    await runner.query('ALTER TABLE released_domains RENAME COLUMN "ownerId" TO "tenantId"');
    await rebuildStatus(
      runner,
      { column: 'tenantId', length: 36, table: 'tenants', key: '_id' },
      { owner: 'known._id', join: 'tenants AS known ON known."customDomain" = before.domain' },
    );
    // An earlier build knows one domain of each tenant, and none of a subdomain.
    await runner.query(
      `DELETE FROM host_claims WHERE host IN
        (SELECT host FROM site_domains WHERE NOT ("ownerKind" = 'tenant' AND role = 'primary'))`,
    );
    await runner.dropTable('site_domains');
  }
}
