import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

const CHUNK = 500;

interface SubdomainRow {
  _id: string;
  type: 'proxy' | 'static' | 'tunnel';
  port: number | null;
  staticPath: string | null;
  targetHost: string | null;
  targetPort: number | null;
  source: 'folder' | 'versions';
  versionId: string | null;
}

function formatTarget(row: SubdomainRow): string | undefined {
  const { type, port, staticPath, targetHost, targetPort, source, versionId } = row;
  if (type === 'proxy') return port ? `http 127.0.0.1 ${port}` : undefined;
  if (type === 'static' && source === 'versions') return versionId ? `version ${versionId}` : undefined;
  if (type === 'static') return staticPath ? `folder ${staticPath}` : undefined;
  return targetHost && targetPort ? `${targetPort === 443 ? 'https' : 'http'} ${targetHost} ${targetPort}` : undefined;
}

/** Adds the key of each subdomain's health result, for counts in SQL. VALUES names its columns `column1`, `column2`. */
export class TargetKeys1700000000170 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE subdomains ADD COLUMN "targetKey" varchar(64)');
    for (let last = ''; ; ) {
      const rows: SubdomainRow[] = await runner.query(
        `SELECT _id, type, port, "staticPath", "targetHost", "targetPort", source, "versionId" FROM subdomains
          WHERE _id > $1 ORDER BY _id LIMIT ${CHUNK}`,
        [last],
      );
      const keyed = rows.flatMap((row) => {
        const target = formatTarget(row);
        return target ? [[row._id, createHash('sha256').update(target).digest('hex')]] : [];
      });
      const placeholders = keyed.map((_row, index) => `($${2 * index + 1}, $${2 * index + 2})`);
      if (keyed.length > 0)
        await runner.query(
          `UPDATE subdomains SET "targetKey" = known.column2 FROM (VALUES ${placeholders.join(', ')}) AS known
            WHERE subdomains._id = known.column1`,
          keyed.flat(),
        );
      if (rows.length < CHUNK) return;
      last = rows.at(-1)?._id ?? '';
    }
  }
}
