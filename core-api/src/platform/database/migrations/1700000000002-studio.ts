import { type QueryRunner, TableForeignKey } from 'typeorm';
import { cascade, counter, createTable, id, integer, longText, type Migration, nullable, text } from './column-types';

/** Adds projects, tenants, settings, contact messages and the gateway. */
export class Studio1700000000002 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'projects',
      columns: [
        id(),
        text('name', 100),
        text('dbPrefix', 40),
        text('type', 16),
        integer('apiPort', nullable),
        text('staticPath', 1024, nullable),
        text('createdAt', 24),
      ],
      indices: [{ columnNames: ['name'], isUnique: true, name: 'projects_name' }],
    });
    await createTable(runner, {
      name: 'tenants',
      columns: [
        id(),
        text('name', 100),
        text('projectId', 36),
        text('subdomain', 63),
        text('dbName', 63),
        text('customDomain', 253, nullable),
        text('responsibleName', 100, nullable),
        text('responsibleContact', 255, nullable),
        text('createdAt', 24),
      ],
      foreignKeys: [
        {
          columnNames: ['projectId'],
          referencedTableName: 'projects',
          referencedColumnNames: ['_id'],
          onDelete: 'RESTRICT',
        },
      ],
      indices: [
        { columnNames: ['subdomain'], isUnique: true, name: 'tenants_subdomain' },
        { columnNames: ['dbName'], isUnique: true, name: 'tenants_db_name' },
        { columnNames: ['customDomain'], isUnique: true, name: 'tenants_custom_domain' },
        { columnNames: ['name', '_id'], name: 'tenants_by_name' },
        { columnNames: ['projectId'], name: 'tenants_project' },
      ],
    });
    await runner.createForeignKey('host_claims', new TableForeignKey(cascade('tenantId', 'tenants')));
    await createTable(runner, {
      name: 'settings',
      columns: [integer('id', { isPrimary: true }), longText('telegramBotToken'), text('telegramChatId', 255)],
    });
    await runner.query(`INSERT INTO settings (id, "telegramBotToken", "telegramChatId") VALUES (1, '', '')`);
    await createTable(runner, {
      name: 'contact_messages',
      columns: [
        id(),
        text('name', 100),
        text('email', 255),
        text('contactInfo', 255, nullable),
        longText('message'),
        { name: 'spam', type: 'boolean', default: false },
        text('address', 45),
        text('createdAt', 24),
      ],
      indices: [
        { columnNames: ['createdAt', '_id'], name: 'contact_messages_newest' },
        { columnNames: ['address', 'createdAt'], name: 'contact_messages_address' },
      ],
    });
    await createTable(runner, {
      name: 'contact_deliveries',
      columns: [
        text('messageId', 36, { isPrimary: true }),
        text('channel', 16, { isPrimary: true }),
        text('state', 16),
        integer('attempts'),
        text('nextAttemptAt', 24),
        text('deliveredAt', 24, nullable),
        text('lastError', 500, nullable),
      ],
      foreignKeys: [cascade('messageId', 'contact_messages')],
      indices: [{ columnNames: ['state', 'nextAttemptAt'], name: 'contact_deliveries_due' }],
    });
    await createTable(runner, {
      name: 'gateway_services',
      columns: [id(), text('name', 100), text('host', 255), text('createdAt', 24)],
      indices: [{ columnNames: ['name'], isUnique: true, name: 'gateway_services_name' }],
    });
    await createTable(runner, {
      name: 'gateway_routes',
      columns: [
        id(),
        text('serviceId', 36),
        text('origin', 1024),
        text('destination', 1024),
        text('permission', 100),
        text('createdAt', 24),
      ],
      foreignKeys: [cascade('serviceId', 'gateway_services')],
      indices: [
        { columnNames: ['serviceId'], name: 'gateway_routes_service' },
        { columnNames: ['origin', '_id'], name: 'gateway_routes_by_origin' },
      ],
    });
    await createTable(runner, {
      name: 'gateway_route_methods',
      columns: [
        text('routeId', 36, { isPrimary: true }),
        text('method', 8, { isPrimary: true }),
        text('originKey', 1024),
      ],
      foreignKeys: [cascade('routeId', 'gateway_routes')],
      indices: [{ columnNames: ['originKey', 'method'], isUnique: true, name: 'gateway_route_methods_origin' }],
    });
    await createTable(runner, {
      name: 'api_keys',
      columns: [
        id(),
        text('name', 100),
        text('digest', 64),
        longText('permissions'),
        longText('allowedIps'),
        counter('usageCount'),
        text('createdAt', 24),
        text('lastUsedAt', 24, nullable),
      ],
      indices: [
        { columnNames: ['digest'], isUnique: true, name: 'api_keys_digest' },
        { columnNames: ['name', '_id'], name: 'api_keys_by_name' },
        { columnNames: ['usageCount', '_id'], name: 'api_keys_by_usage' },
        { columnNames: ['createdAt', '_id'], name: 'api_keys_newest' },
        { columnNames: ['lastUsedAt', '_id'], name: 'api_keys_by_last_use' },
      ],
    });
  }
}
