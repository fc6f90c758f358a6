import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

const columns: Record<string, readonly [name: string, definition: string][]> = {
  api_keys: [
    ['prefix', 'varchar(12)'],
    ['note', `varchar(500) NOT NULL DEFAULT ''`],
    ['disabled', 'boolean NOT NULL DEFAULT false'],
    ['expiresAt', 'varchar(24)'],
    ['rateLimit', 'text'],
    ['previousDigest', 'varchar(64)'],
    ['previousExpiresAt', 'varchar(24)'],
  ],
  gateway_services: [
    ['timeoutSeconds', 'integer NOT NULL DEFAULT 60'],
    ['maxBodyMb', 'integer NOT NULL DEFAULT 100'],
    ['cors', 'text'],
    ['extraHosts', `text NOT NULL DEFAULT '[]'`],
    ['healthPath', 'varchar(1024)'],
  ],
  gateway_routes: [['public', 'boolean NOT NULL DEFAULT false']],
};

/** Adds the policies of keys, services and routes. */
export class GatewayPolicies1700000000020 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, added] of Object.entries(columns)) {
      for (const [name, definition] of added) {
        await runner.query(`ALTER TABLE ${table} ADD COLUMN "${name}" ${definition}`);
      }
    }
  }
}
