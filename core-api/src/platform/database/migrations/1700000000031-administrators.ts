import { type QueryRunner, TableIndex } from 'typeorm';
import { cascade, createTable, id, type Migration, text } from './column-types';

const COLUMNS = {
  totpSecret: `text NOT NULL DEFAULT ''`,
  totpPending: `text NOT NULL DEFAULT ''`,
  totpSteps: `varchar(64) NOT NULL DEFAULT ''`,
  setupDigest: 'varchar(64)',
  setupEndsAt: 'varchar(24)',
  lastLoginAt: 'varchar(24)',
};

/** Adds setup tokens, the second factor with its recovery codes, and the time of the last login. */
export class Administrators1700000000031 implements Migration {
  /** Adds columns in plain SQL, because TypeORM would rebuild the table on SQLite. */
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, type] of Object.entries(COLUMNS))
      await runner.query(`ALTER TABLE accounts ADD COLUMN "${name}" ${type}`);
    await runner.createIndex(
      'accounts',
      new TableIndex({ columnNames: ['setupDigest'], isUnique: true, name: 'accounts_setup' }),
    );
    await createTable(runner, {
      name: 'recovery_codes',
      columns: [id('accountId'), text('digest', 64, { isPrimary: true })],
      foreignKeys: [cascade('accountId', 'accounts')],
    });
  }
}
