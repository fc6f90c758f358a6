import { type FindOptionsWhere, In } from 'typeorm';
import type { ProjectLimit } from '../../platform/database/change-context';
import type { Database } from '../../platform/database/database';
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

  /** Probe targets of all tenants with `healthCheck`. */
  async probeTargets(): Promise<ProbeTarget[]> {
    const rows = await this.checkedTenants({ healthCheck: true });
    return [...new Map(rows.map(({ target }) => [probeTargetKey(target), target])).values()];
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

  /** Tenants with `healthCheck` that are not paused, each with the key of its target. */
  async listChecked(): Promise<{ id: string; name: string; target: string }[]> {
    const rows = await this.checkedTenants({ healthCheck: true, paused: false });
    return rows.map(({ row: { _id: id, name }, target }) => ({ id, name, target: probeTargetKey(target) }));
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

  /** Tenants that have a target, by name. */
  private async checkedTenants(where: FindOptionsWhere<Tenant>) {
    const projects = new Map((await this.projects.list(null)).map((project) => [project._id, project]));
    const rows = await this.database.read.find(Tenant, {
      select: { _id: true, name: true, projectId: true, source: true, versionId: true },
      where,
      order: { name: 'ASC' },
    });
    return rows.flatMap((row) => {
      const project = projects.get(row.projectId);
      const target = project && probeTargetOfTenant(row, project);
      return target ? [{ row, target }] : [];
    });
  }
}
