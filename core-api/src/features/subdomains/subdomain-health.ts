import { In } from 'typeorm';
import type { ProjectLimit } from '../../platform/database/change-context';
import type { Database } from '../../platform/database/database';
import { type ProbeTarget, probeTargetKey, probeTargetOf } from '../../platform/net/probe-target';
import { countDown, type TargetHealthService, type UptimeSubject } from '../target-health';
import { Subdomain } from './subdomain.entity';

/** The fields of a subdomain that determine its health. */
export const checkedHost = (row: Subdomain) => ({ healthCheck: row.healthCheck, target: probeTargetOf(row) });

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

/** Health of subdomains. */
export class SubdomainHealth {
  constructor(
    private readonly database: Pick<Database, 'read' | 'report'>,
    private readonly health: TargetHealthService,
  ) {}

  /** Probe targets of all subdomains with `healthCheck`. */
  async probeTargets(): Promise<ProbeTarget[]> {
    const rows = await this.database.read
      .createQueryBuilder(Subdomain, 'row')
      .select(['type', 'port', '"staticPath"', '"apiPort"', '"targetHost"', '"targetPort"', 'source', '"versionId"'])
      .where('row.healthCheck = :on', { on: true })
      .distinct()
      .getRawMany<Subdomain>();
    return rows.flatMap((row) => probeTargetOf(row) ?? []);
  }

  /** The subjects of uptimes, without unknown labels. Accounts that are limited to projects see no subdomain. */
  async uptimeSubjects(labels: readonly string[], limit: ProjectLimit): Promise<UptimeSubject[]> {
    if (limit) return [];
    const rows = await this.database.read.findBy(Subdomain, { subdomain: In([...labels]) });
    return rows.map((row) => ({ type: 'subdomain', id: row._id, key: row.subdomain, target: probeTargetOf(row) }));
  }

  /** Active subdomains with `healthCheck`, with the key of their target. */
  async listChecked(): Promise<{ id: string; name: string; target: string }[]> {
    const rows = await this.database.read.query<Subdomain[]>(
      `SELECT _id, subdomain, type, port, "staticPath", "apiPort", "targetHost", "targetPort", source, "versionId" FROM subdomains
        WHERE "healthCheck" AND NOT paused`,
    );
    return rows.flatMap((row) => {
      const target = probeTargetOf(row);
      return target ? [{ id: row._id, name: row.subdomain, target: probeTargetKey(target) }] : [];
    });
  }

  /** Number of subdomains whose target is down, without paused ones, and the names of the first few. */
  async countDown(first: number): Promise<{ total: number; first: string[] }> {
    const isDown = await this.health.downTargets();
    if (!isDown) return { total: 0, first: [] };
    const counted = await countDown<TargetRow>(
      this.database.report,
      { table: 'subdomains', columns: TARGET_COLUMNS, name: 'subdomain', where: '"healthCheck" AND NOT paused', first },
      (row) => isDown(probeTargetOf(row)),
    );
    return { total: counted.total, first: counted.first.map(({ name }) => name) };
  }
}
