import { In } from 'typeorm';
import type { ProjectLimit } from '../../platform/database/change-context';
import type { Database } from '../../platform/database/database';
import { tablePages } from '../../platform/database/table-pages';
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

  /** Probe targets of all subdomains with `healthCheck`, in pages. */
  async *probeTargets(): AsyncGenerator<ProbeTarget[]> {
    for await (const rows of this.checkedSubdomains('"healthCheck"')) yield rows.map(({ target }) => target);
  }

  /** The subjects of uptimes, without unknown labels. Accounts that are limited to projects see no subdomain. */
  async uptimeSubjects(labels: readonly string[], limit: ProjectLimit): Promise<UptimeSubject[]> {
    if (limit) return [];
    const rows = await this.database.read.findBy(Subdomain, { subdomain: In([...labels]) });
    return rows.map((row) => ({ type: 'subdomain', id: row._id, key: row.subdomain, target: probeTargetOf(row) }));
  }

  /** Active subdomains with `healthCheck`, each with the key of its target, in pages. */
  async *listChecked(): AsyncGenerator<{ id: string; name: string; target: string }[]> {
    for await (const rows of this.checkedSubdomains('"healthCheck" AND NOT paused'))
      yield rows.map(({ row: { _id: id, subdomain: name }, target }) => ({ id, name, target: probeTargetKey(target) }));
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

  /** Subdomains that have a target. @param where SQL condition */
  private async *checkedSubdomains(where: string) {
    const columns = ['_id', 'subdomain', ...TARGET_COLUMNS].map((column) => `"${column}"`).join(', ');
    type Row = TargetRow & Pick<Subdomain, '_id' | 'subdomain'>;
    for await (const rows of tablePages<Row>(this.database.read, { table: 'subdomains', columns, where }))
      yield rows.flatMap((row) => {
        const target = probeTargetOf(row);
        return target ? [{ row, target }] : [];
      });
  }
}
