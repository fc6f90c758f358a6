import { type QueryRunner, TableIndex } from 'typeorm';
import { cascade, createTable, id, integer, longText, type Migration, nullable, text } from './column-types';

const ACCOUNT_COLUMNS = {
  kind: `varchar(16) NOT NULL DEFAULT 'person'`,
  role: `varchar(16) NOT NULL DEFAULT 'administrator'`,
  projectIds: 'text',
};

const AUDIT_COLUMNS = {
  address: `varchar(45) NOT NULL DEFAULT ''`,
  tokenId: 'varchar(36)',
  tokenName: 'varchar(100)',
  count: 'integer NOT NULL DEFAULT 1',
  foldKey: 'varchar(64)',
};

/**
 * Adds API tokens, sudo, the roles and projects of accounts, and the columns of logins in the audit trail. Existing
 * accounts become administrators of all projects.
 */
export class Access1700000000080 implements Migration {
  /** Adds columns in plain SQL, because TypeORM would rebuild the table on SQLite. */
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, type] of Object.entries(ACCOUNT_COLUMNS))
      await runner.query(`ALTER TABLE accounts ADD COLUMN "${name}" ${type}`);
    for (const [name, type] of Object.entries(AUDIT_COLUMNS))
      await runner.query(`ALTER TABLE audit_entries ADD COLUMN "${name}" ${type}`);
    await runner.createIndex(
      'audit_entries',
      new TableIndex({ columnNames: ['foldKey'], isUnique: true, name: 'audit_entries_fold' }),
    );
    await createTable(runner, {
      name: 'api_tokens',
      columns: [
        id(),
        text('accountId', 36),
        text('name', 100),
        text('prefix', 12),
        text('digest', 64),
        longText('scopes'),
        longText('projectIds', nullable),
        longText('site', nullable),
        longText('allowedIps'),
        text('expiresAt', 24, nullable),
        { name: 'disabled', type: 'boolean', default: false },
        text('previousDigest', 64, nullable),
        text('previousExpiresAt', 24, nullable),
        text('lastUsedAt', 24, nullable),
        text('lastUsedFrom', 45, nullable),
        text('createdAt', 24),
        integer('version', { default: 1 }),
      ],
      indices: [
        { columnNames: ['accountId', 'name'], isUnique: true, name: 'api_tokens_name' },
        { columnNames: ['digest'], isUnique: true, name: 'api_tokens_digest' },
        { columnNames: ['previousDigest'], isUnique: true, name: 'api_tokens_previous' },
      ],
      foreignKeys: [cascade('accountId', 'accounts')],
    });
    await createTable(runner, {
      name: 'sudo_sessions',
      columns: [
        text('sessionId', 64, { isPrimary: true }),
        text('accountId', 36),
        text('endsAt', 24),
        { name: 'withCode', type: 'boolean', default: false },
      ],
      indices: [{ columnNames: ['endsAt'], name: 'sudo_sessions_end' }],
      foreignKeys: [cascade('accountId', 'accounts')],
    });
  }
}
