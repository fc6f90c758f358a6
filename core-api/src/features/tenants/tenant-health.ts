import { In } from 'typeorm';
import type { ProjectLimit } from '../../platform/database/changes/change-context';
import type { Database } from '../../platform/database/database';
import { readTablePages } from '../../platform/database/queries/table-pages';
import { hashProbeTarget, type ProbeTarget, toTenantProbeTarget } from '../../platform/net/probe-target';
import type { ProjectsService } from '../projects';
import type { TargetHealthService, UptimeSubject } from '../target-health';
import { Tenant } from './tenant.entity';

/** SQL condition of tenants that are checked and not paused. SQLite uses the index only with the operator `=`. */
const ACTIVE_SQL = '"healthCheck" = true AND paused = false';
/** Counts active tenants by project, source and version. Tenants of one group have the same target. */
const TARGETS_SQL = `SELECT "projectId", source, "versionId", COUNT(*) AS tenants, MIN(name) AS "firstTenant"
  FROM tenants WHERE ${ACTIVE_SQL} GROUP BY "projectId", source, "versionId"`;
const TENANTS_OF_TARGET_SQL = `SELECT _id AS id, name FROM tenants WHERE ${ACTIVE_SQL} AND "projectId" = $1
  AND source = $2 AND "versionId" IS NOT DISTINCT FROM $3 ORDER BY name, _id LIMIT $4`;

/** Health of tenants. The target of a tenant is its own version or the target of its project. */
export class TenantHealth {
  constructor(
    private readonly database: Pick<Database, 'read' | 'report'>,
    private readonly projects: Pick<ProjectsService, 'listAll'>,
    private readonly health: TargetHealthService,
  ) {}

  /** Reads the probe targets of all tenants with `healthCheck`, in pages. */
  async *readProbeTargets(): AsyncGenerator<ProbeTarget[]> {
    for await (const rows of this.readTenantsWithTarget('"healthCheck"')) yield rows.map(({ target }) => target);
  }

  /** Finds tenants for their uptime. Unknown ids and tenants outside of the caller's projects are ignored. */
  async findUptimeSubjects(ids: readonly string[], projectLimit: ProjectLimit): Promise<UptimeSubject[]> {
    const where = { _id: In([...ids]), ...(projectLimit && { projectId: In([...projectLimit]) }) };
    const rows = await this.database.read.find(Tenant, { where, relations: { project: true } });
    return rows.map((row) => ({
      type: 'tenant',
      id: row._id,
      labelOrId: row._id,
      target: toTenantProbeTarget(row, row.project),
      createdAt: row.createdAt,
    }));
  }

  /** Lists tenants with `healthCheck` that are not paused, each with the key of its target, in pages. */
  async *listCheckedSites(): AsyncGenerator<{ id: string; name: string; target: string }[]> {
    for await (const rows of this.readTenantsWithTarget(ACTIVE_SQL))
      yield rows.map(({ row: { _id: id, name }, target }) => ({ id, name, target: hashProbeTarget(target) }));
  }

  /** Counts active tenants whose target is down, and names at most `maxNamed` of them. */
  async countSitesDown(projectLimit: ProjectLimit, maxNamed: number) {
    const { report } = this.database;
    const projects = new Map((await this.projects.listAll(projectLimit)).map((project) => [project._id, project]));
    type Group = Pick<Tenant, 'projectId' | 'source' | 'versionId'> & { tenants: number | string; firstTenant: string };
    const groups = await report.query<Group[]>(TARGETS_SQL);
    const groupsWithTarget = groups.flatMap((group) => {
      const project = projects.get(group.projectId);
      const target = project && toTenantProbeTarget(group, project);
      return target ? [{ ...group, key: hashProbeTarget(target) }] : [];
    });
    const downKeys = await this.health.filterDown([...new Set(groupsWithTarget.map(({ key }) => key))]);
    const downGroups = groupsWithTarget.filter(({ key }) => downKeys.has(key));
    if (downGroups.length === 0) return { total: 0, first: [] };
    // The first `maxNamed` groups, sorted by their first tenant, contain the first `maxNamed` tenants by name.
    const searchedGroups = downGroups.sort((a, b) => (a.firstTenant < b.firstTenant ? -1 : 1)).slice(0, maxNamed);
    const rows = await Promise.all(
      searchedGroups.map(({ projectId, source, versionId }) =>
        report.query<{ id: string; name: string }[]>(TENANTS_OF_TARGET_SQL, [projectId, source, versionId, maxNamed]),
      ),
    );
    const firstTenants = rows.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
    return {
      total: downGroups.reduce((sum, { tenants }) => sum + Number(tenants), 0),
      first: firstTenants.slice(0, maxNamed),
    };
  }

  private async *readTenantsWithTarget(where: string) {
    const projects = new Map((await this.projects.listAll(null)).map((project) => [project._id, project]));
    const columns = '_id, name, "projectId", source, "versionId"';
    type Row = Pick<Tenant, '_id' | 'name' | 'projectId' | 'source' | 'versionId'>;
    for await (const rows of readTablePages<Row>(this.database.read, { table: 'tenants', columns, where }))
      yield rows.flatMap((row) => {
        const project = projects.get(row.projectId);
        const target = project && toTenantProbeTarget(row, project);
        return target ? [{ row, target }] : [];
      });
  }
}
