import type { QueryRunner } from 'typeorm';
import { cascade, createTable, id, integer, longText, type Migration, nullable, text } from './column-types';

const DOMAIN_COLUMNS = `host, "tenantId", dns, found, "certificateState", issuer, "expiresAt", "checkedAt", "nextCheckAt", "watchedSince", checks`;

/** Adds pauses, health of targets, status of custom domains, leases of jobs, and the revision that each edge serves. */
export class Hosts1700000000040 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['subdomains', 'tenants']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN paused boolean NOT NULL DEFAULT false`);
      await runner.query(`ALTER TABLE ${table} ADD COLUMN "healthCheck" boolean NOT NULL DEFAULT true`);
    }
    await runner.query(`ALTER TABLE tenants ADD COLUMN "wwwMode" varchar(8) NOT NULL DEFAULT 'serve'`);
    await createTable(runner, {
      name: 'edges',
      columns: [id('id'), integer('revision'), text('seenAt', 24), longText('refused')],
    });
    await createTable(runner, {
      name: 'leases',
      columns: [text('name', 32, { isPrimary: true }), text('holder', 36), text('expiresAt', 24)],
    });
    await createTable(runner, {
      name: 'target_health',
      columns: [
        text('target', 64, { isPrimary: true }),
        text('state', 8),
        integer('status', nullable),
        integer('ms', nullable),
        text('checkedAt', 24),
        text('reason', 255, nullable),
      ],
      indices: [{ columnNames: ['checkedAt'], name: 'target_health_checked' }],
    });
    await createTable(runner, {
      name: 'domain_status',
      columns: [
        text('host', 257, { isPrimary: true }),
        text('tenantId', 36),
        text('dns', 8),
        longText('found'),
        text('certificateState', 8),
        text('issuer', 255, nullable),
        text('expiresAt', 24, nullable),
        text('checkedAt', 24, nullable),
        text('nextCheckAt', 24, nullable),
        text('watchedSince', 24),
        integer('checks'),
      ],
      foreignKeys: [cascade('tenantId', 'tenants')],
      indices: [
        { columnNames: ['tenantId'], name: 'domain_status_tenant' },
        { columnNames: ['nextCheckAt'], name: 'domain_status_due' },
      ],
    });
    await createTable(runner, {
      name: 'released_domains',
      columns: [
        text('domain', 253, { isPrimary: true }),
        text('tenantId', 36),
        text('releasedAt', 24),
        text('secret', 64),
      ],
    });
    const now = new Date().toISOString();
    for (const prefix of ['', 'www.']) {
      await runner.query(
        `INSERT INTO domain_status (${DOMAIN_COLUMNS})
          SELECT '${prefix}' || "customDomain", _id, 'unknown', '[]', 'none', NULL, NULL, NULL, '${now}', '${now}', 0
          FROM tenants WHERE "customDomain" IS NOT NULL`,
      );
    }
  }
}
