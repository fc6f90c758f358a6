import type { QueryRunner } from 'typeorm';
import { createTable, id, integer, longText, type Migration, nullable, text } from './column-types';

const RULES = ['redirects', 'headers', 'noindex', 'rate', 'maxBodyMb', 'timeoutSeconds', 'maintenance', 'branding'];

/** Adds the rules of hosts, and the password of a preview. */
export class HostPolicies1700000000091 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'host_policies',
      columns: [
        id(),
        text('ownerKind', 12),
        text('name', 100),
        longText('access', nullable),
        text('passwordHash', 255, nullable),
        text('passwordKey', 64, nullable),
        ...RULES.map((name) => longText(name, nullable)),
        longText('logoPng', nullable),
        integer('version', { default: 1 }),
      ],
    });
    await runner.query(`ALTER TABLE site_versions ADD COLUMN "previewPasswordKey" varchar(64)`);
  }
}
