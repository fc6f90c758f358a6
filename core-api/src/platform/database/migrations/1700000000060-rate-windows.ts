import type { QueryRunner } from 'typeorm';
import { cascade, counter, createTable, id, integer, longText, type Migration } from './column-types';

/** Adds the rate windows that all machines share. */
export class RateWindows1700000000060 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'rate_windows',
      columns: [id('keyId'), integer('seconds'), counter('slice'), longText('counts')],
      foreignKeys: [cascade('keyId', 'api_keys')],
    });
  }
}
