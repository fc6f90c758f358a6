import type { QueryRunner } from 'typeorm';
import { createTable, id, longText, type Migration, text } from './column-types';

const EDITED = ['subdomains', 'tenants', 'projects', 'settings', 'gateway_services', 'gateway_routes', 'api_keys'];

/** Adds a version number to edited rows, the audit trail, and a mark for contact messages that were handled. */
export class People1700000000030 implements Migration {
  /** Adds columns in plain SQL, because TypeORM would rebuild the table on SQLite. */
  async up(runner: QueryRunner): Promise<void> {
    for (const table of EDITED)
      await runner.query(`ALTER TABLE ${table} ADD COLUMN "version" integer NOT NULL DEFAULT 1`);
    await runner.query('ALTER TABLE contact_messages ADD COLUMN "handled" boolean NOT NULL DEFAULT false');
    await createTable(runner, {
      name: 'audit_entries',
      columns: [
        id(),
        text('at', 24),
        text('actor', 100),
        text('action', 16),
        text('entity', 16),
        text('entityId', 36),
        longText('name'),
        longText('changes'),
        text('requestId', 128),
      ],
      indices: [
        { columnNames: ['at', '_id'], name: 'audit_entries_newest' },
        { columnNames: ['entity', 'at', '_id'], name: 'audit_entries_entity' },
        { columnNames: ['actor', 'at', '_id'], name: 'audit_entries_actor' },
      ],
    });
  }
}
