import type { QueryRunner } from 'typeorm';
import { cascade, counter, create, id, integer, longText, type Migration } from './dialect';

/** Adds the rate windows that all machines share. */
export class RateWindows1700000000060 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await create(runner, {
      name: 'rate_windows',
      columns: [id('keyId'), integer('seconds'), counter('slice'), longText('counts')],
      foreignKeys: [cascade('keyId', 'api_keys')],
    });
  }
}
