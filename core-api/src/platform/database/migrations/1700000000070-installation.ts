import { createHash, randomBytes } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { createTable, integer, type Migration, text } from './column-types';

/** Adds the id of the installation to which the database belongs. */
export class Installation1700000000070 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'installation',
      columns: [integer('id', { isPrimary: true }), text('installationId', 36)],
    });
    await runner.query(`INSERT INTO installation (id, "installationId") VALUES (1, '${await createId(runner)}')`);
  }
}

/** Derives the id from the secrets, if there are any, so that a restore of an older backup does not change the id. */
async function createId(runner: QueryRunner): Promise<string> {
  const rows: { fingerprint: string }[] = await runner.query(
    'SELECT fingerprint FROM secret_fingerprints ORDER BY name',
  );
  const seed = rows.length > 0 ? rows.map(({ fingerprint }) => fingerprint).join() : randomBytes(32).toString('hex');
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 16);
  // These bits make the bytes a UUID of version 8 (RFC 9562 §5.8).
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
