import type { QueryRunner } from 'typeorm';
import { cascade, createTable, id, integer, type Migration, text } from './column-types';

/** Adds login limits that all machines share, and ended sessions. */
export class Sessions1700000000011 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'login_failures',
      columns: [text('key', 64, { isPrimary: true }), integer('failures'), text('endsAt', 24)],
      indices: [{ columnNames: ['endsAt'], name: 'login_failures_end' }],
    });
    await createTable(runner, {
      name: 'login_addresses',
      columns: [id('accountId'), text('network', 45, { isPrimary: true }), text('lastLoginAt', 24)],
      foreignKeys: [cascade('accountId', 'accounts')],
    });
    await createTable(runner, {
      name: 'ended_sessions',
      columns: [text('id', 64, { isPrimary: true }), text('endsAt', 24)],
      indices: [{ columnNames: ['endsAt'], name: 'ended_sessions_end' }],
    });
  }
}
