import { type EntityManager, In } from 'typeorm';
import type { ProjectLimit } from '../../platform/database/changes/change-context';
import type { Database } from '../../platform/database/database';
import { readTablePages } from '../../platform/database/queries/table-pages';
import { type ProbeTarget, toProbeTarget } from '../../platform/net/probe-target';
import { createIsDownSql, type UptimeSubject } from '../target-health';
import { Subdomain } from './subdomain.entity';

/** The fields of a subdomain that determine its health. */
export const toCheckedSite = (row: Subdomain) => ({ healthCheck: row.healthCheck, target: toProbeTarget(row) });

const TARGET_COLUMNS = [
  'type',
  'port',
  'staticPath',
  'apiPort',
  'targetHost',
  'targetPort',
  'source',
  'versionId',
] as const satisfies (keyof Subdomain)[];
type TargetRow = Pick<Subdomain, (typeof TARGET_COLUMNS)[number]>;

/** Returns the SQL expression for the state of the subdomain `row`. The list is filtered by this state. */
export const createStateSql = (manager: EntityManager): string =>
  `CASE WHEN row.paused THEN 'paused'
    WHEN NOT row."healthCheck" THEN 'unknown'
    WHEN ${createIsDownSql(manager, 'row."targetKey"')} THEN 'down'
    WHEN EXISTS (SELECT 1 FROM target_health WHERE target = row."targetKey") THEN 'up'
    ELSE 'unknown' END`;

export class SubdomainHealth {
  constructor(private readonly database: Pick<Database, 'read' | 'report'>) {}

  /** Reads the probe targets of all subdomains with `healthCheck`, in pages. */
  async *readProbeTargets(): AsyncGenerator<ProbeTarget[]> {
    const columns = TARGET_COLUMNS.map((column) => `"${column}"`).join(', ');
    const table = { table: 'subdomains', columns: `_id, ${columns}`, where: '"healthCheck"' };
    for await (const rows of readTablePages<TargetRow>(this.database.read, table))
      yield rows.flatMap((row) => toProbeTarget(row) ?? []);
  }

  /** Finds subdomains whose uptime is read. Ignores unknown labels. Accounts limited to projects see no subdomain. */
  async findUptimeSubjects(labels: readonly string[], projectLimit: ProjectLimit): Promise<UptimeSubject[]> {
    if (projectLimit) return [];
    const subdomain = In(labels.map((label) => label.toLowerCase()));
    const rows = await this.database.read.findBy(Subdomain, { subdomain });
    return rows.map((row) => ({
      type: 'subdomain',
      id: row._id,
      labelOrId: row.subdomain,
      target: toProbeTarget(row),
      createdAt: row.createdAt,
    }));
  }

  /** Lists active subdomains with `healthCheck`, each with the key of its target, in pages by `_id`. */
  listCheckedSites(): AsyncGenerator<{ id: string; name: string; target: string }[]> {
    return readTablePages(this.database.read, {
      table: 'subdomains',
      columns: '_id, _id AS id, subdomain AS name, "targetKey" AS target',
      where: '"healthCheck" AND NOT paused AND "targetKey" IS NOT NULL',
    });
  }

  /** Counts active subdomains whose target is down, and names at most `maxNamed` of them. */
  async countSitesDown(maxNamed: number): Promise<{ total: number; first: { id: string; name: string }[] }> {
    const { report } = this.database;
    const downSql = `FROM subdomains WHERE "healthCheck" AND NOT paused AND ${createIsDownSql(report, 'subdomains."targetKey"')}`;
    const [counts] = await report.query<{ total: number | string }[]>(`SELECT COUNT(*) AS total ${downSql}`);
    const firstRows = await report.query<Pick<Subdomain, 'subdomain'>[]>(
      `SELECT subdomain ${downSql} ORDER BY subdomain LIMIT ${maxNamed}`,
    );
    return { total: Number(counts?.total ?? 0), first: firstRows.map(({ subdomain: name }) => ({ id: name, name })) };
  }
}
