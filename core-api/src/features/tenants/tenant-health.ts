import { In } from 'typeorm';
import type { ProjectLimit } from '../../platform/database/change-context';
import type { Database } from '../../platform/database/database';
import { tablePages } from '../../platform/database/table-pages';
import { type ProbeTarget, probeTargetKey, probeTargetOfTenant } from '../../platform/net/probe-target';
import type { ProjectsService } from '../projects';
import { countDown, type TargetHealthService, type UptimeSubject } from '../target-health';
import { Tenant } from './tenant.entity';

/** Health of tenants, whose targets are versions of their own or those of their projects. */
export class TenantHealth {
  constructor(
    private readonly database: Pick<Database, 'read' | 'report'>,
    private readonly projects: Pick<ProjectsService, 'list'>,
    private readonly health: TargetHealthService,
  ) {}

  /** Probe targets of all tenants with `healthCheck`, in pages. */
  async *probeTargets(): AsyncGenerator<ProbeTarget[]> {
    for await (const rows of this.checkedTenants('"healthCheck"')) yield rows.map(({ target }) => target);
  }

  /** The subjects of uptimes, without unknown ids and tenants of other projects. */
  async uptimeSubjects(ids: readonly string[], limit: ProjectLimit): Promise<UptimeSubject[]> {
    const where = { _id: In([...ids]), ...(limit && { projectId: In([...limit]) }) };
    const rows = await this.database.read.find(Tenant, { where, relations: { project: true } });
    return rows.map((row) => ({
      type: 'tenant',
      id: row._id,
      key: row._id,
      target: probeTargetOfTenant(row, row.project),
    }));
  }

  /** Tenants with `healthCheck` that are not paused, each with the key of its target, in pages. */
  async *listChecked(): AsyncGenerator<{ id: string; name: string; target: string }[]> {
    for await (const rows of this.checkedTenants('"healthCheck" AND NOT paused'))
      yield rows.map(({ row: { _id: id, name }, target }) => ({ id, name, target: probeTargetKey(target) }));
  }

  /** Number of tenants whose target is down, without paused ones, and the first few by name. */
  async countDown(limit: ProjectLimit, first: number) {
    const isDown = await this.health.downTargets();
    if (!isDown) return { total: 0, first: [] };
    const projects = new Map((await this.projects.list(limit)).map((project) => [project._id, project]));
    return countDown<Pick<Tenant, 'projectId' | 'source' | 'versionId'>>(
      this.database.report,
      {
        table: 'tenants',
        columns: ['projectId', 'source', 'versionId'],
        name: 'name',
        where: '"healthCheck" AND NOT paused',
        first,
      },
      (row) => {
        const project = projects.get(row.projectId);
        return project !== undefined && isDown(probeTargetOfTenant(row, project));
      },
    );
  }

  /** Tenants that have a target. @param where SQL condition */
  private async *checkedTenants(where: string) {
    const projects = new Map((await this.projects.list(null)).map((project) => [project._id, project]));
    const columns = '_id, name, "projectId", source, "versionId"';
    type Row = Pick<Tenant, '_id' | 'name' | 'projectId' | 'source' | 'versionId'>;
    for await (const rows of tablePages<Row>(this.database.read, { table: 'tenants', columns, where }))
      yield rows.flatMap((row) => {
        const project = projects.get(row.projectId);
        const target = project && probeTargetOfTenant(row, project);
        return target ? [{ row, target }] : [];
      });
  }
}
