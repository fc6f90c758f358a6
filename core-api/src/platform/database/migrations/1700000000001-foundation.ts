import type { QueryRunner } from 'typeorm';
import { cascade, createTable, id, integer, type Migration, nullable, text } from './column-types';

/** Adds accounts, subdomains, claimed hosts and the revision of the configuration. */
export class Foundation1700000000001 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'accounts',
      columns: [id(), text('username', 100), text('passwordHash', 255), integer('tokenVersion'), text('createdAt', 24)],
      indices: [{ columnNames: ['username'], isUnique: true, name: 'accounts_username' }],
    });
    await createTable(runner, {
      name: 'subdomains',
      columns: [
        id(),
        text('subdomain', 63),
        text('description', 500),
        text('type', 16),
        integer('port', nullable),
        text('staticPath', 1024, nullable),
        integer('apiPort', nullable),
        text('targetHost', 255, nullable),
        integer('targetPort', nullable),
        text('createdAt', 24),
      ],
      indices: [
        { columnNames: ['subdomain'], isUnique: true, name: 'subdomains_subdomain' },
        { columnNames: ['createdAt', '_id'], name: 'subdomains_newest' },
      ],
    });
    await createTable(runner, {
      name: 'host_claims',
      columns: [
        text('host', 253, { isPrimary: true }),
        text('subdomainId', 36, nullable),
        text('tenantId', 36, nullable),
      ],
      foreignKeys: [cascade('subdomainId', 'subdomains')],
      indices: [
        { columnNames: ['subdomainId'], name: 'host_claims_subdomain' },
        { columnNames: ['tenantId'], name: 'host_claims_tenant' },
      ],
    });
    await createTable(runner, {
      name: 'configuration_revision',
      columns: [integer('id', { isPrimary: true }), integer('value')],
    });
    await runner.query('INSERT INTO configuration_revision (id, value) VALUES (1, 0)');
    await createTable(runner, {
      name: 'configuration_changes',
      columns: [integer('revision', { isPrimary: true }), text('entity', 16), text('entityId', 36)],
    });
  }
}
