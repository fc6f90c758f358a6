import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

/** The part of the search text that contains the name. PostgreSQL limits the length of an indexed text. */
const NAME = 'substr("searchText", 1, 100)';

/** Adds indexes for the orders of long lists. Two of them replace indexes of `api_keys` that no list used. */
export class ListOrders1700000000171 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX api_keys_by_name');
    await runner.query('DROP INDEX api_keys_by_last_use');
    await runner.query(`CREATE INDEX api_keys_by_name ON api_keys (${NAME}, _id)`);
    await runner.query(`CREATE INDEX api_keys_by_last_use ON api_keys (COALESCE("lastUsedAt", ''), _id)`);
    await runner.query(`CREATE INDEX tenants_by_folded_name ON tenants (${NAME}, _id)`);
  }
}
