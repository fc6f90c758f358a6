import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordConfigChange } from '../../platform/config-revisions/config-revisions';
import { editRow } from '../../platform/database/changes/apply-changes';
import { type ProjectLimit, permitsProject } from '../../platform/database/changes/change-context';
import type { ChangeContext, Database } from '../../platform/database/database';
import { mapUniqueViolation } from '../../platform/database/queries/unique-violation';
import { createFieldError, RuleError } from '../../platform/errors/rule-error';
import type { ListPages } from '../../platform/http/lists/list-pages';
import type { DomainMonitor, DomainReports, SiteDomainsService } from '../domains';
import { removePolicy } from '../host-policies';
import { claimHost, mapHostConflict } from '../hosts';
import type { ProjectsService } from '../projects';
import type { RolloutService } from '../rollout';
import { createBaseOwnerStore, removeAllVersions, type SiteOwnerStore } from '../sites';
import type { TargetHealthService } from '../target-health';
import { createDatabaseName, isDatabaseName, MAX_DATABASE_NAME_BYTES } from './database-name';
import { createTenantSearchText, Tenant } from './tenant.entity';
import { listTenants } from './tenant-list';
import { TenantPresenter, toCheckedSite } from './tenant-presenter';
import { tenantMessages as messages } from './tenants.messages';
import type { DomainBody, TenantBody, TenantChanges, TenantQuery, TenantResponse } from './tenants.schema';

interface TenantsOptions {
  database: Database;
  projects: Pick<ProjectsService, 'find' | 'listAll'>;
  health: TargetHealthService;
  rollout: RolloutService;
  domainMonitor: Pick<DomainMonitor, 'checkNow'>;
  domainReports: DomainReports;
  siteDomains: SiteDomainsService;
}

export class TenantsService {
  private readonly presenter: TenantPresenter;

  constructor(private readonly options: TenantsOptions) {
    this.presenter = new TenantPresenter(options.domainReports, options.siteDomains, options.health);
  }

  /** The tenant as a site owner. Only tenants of static projects have versions. */
  readonly siteOwner: SiteOwnerStore = {
    ...createBaseOwnerStore('tenant', Tenant),
    async find(manager, key, projectLimit) {
      const row = await requireTenant(manager, key, projectLimit);
      const { _id: id, name, subdomain, project, projectId, source, versionId } = row;
      const servedContent = { versionId, servesVersion: source === 'versions' };
      const isStatic = project.type === 'static';
      return { kind: 'tenant', id, name, label: subdomain, isStatic, ...servedContent, projectId };
    },
  };

  /** Waits for the rollout of a saved tenant (`RolloutService`). @returns the response to the save */
  private async waitForRollout(row: Tenant): Promise<TenantResponse> {
    return this.presenter.toResponse(row, await this.options.rollout.waitForStatus(row._id));
  }

  /** Checks the target and the domains of a tenant now. @throws RuleError notFound */
  async check(id: string, projectLimit: ProjectLimit): Promise<TenantResponse> {
    const row = await requireTenant(this.options.database.read, id, projectLimit);
    const { target } = toCheckedSite(row);
    await Promise.all([target && this.options.health.check([target]), this.options.domainMonitor.checkNow(id)]);
    return this.presenter.toResponse(row, null);
  }

  async get(id: string, projectLimit: ProjectLimit): Promise<TenantResponse> {
    return this.presenter.toResponse(await requireTenant(this.options.database.read, id, projectLimit), null);
  }

  async findNames(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.options.database.read.findBy(Tenant, { _id: In([...ids]) });
    return new Map(rows.map(({ _id, name }) => [_id, name]));
  }

  count(projectLimit: ProjectLimit): Promise<number> {
    return this.options.database.read.countBy(Tenant, projectLimit ? { projectId: In([...projectLimit]) } : {});
  }

  async findIdsInProjects(projects: readonly string[]): Promise<string[]> {
    const where = { projectId: In([...projects]) };
    const rows = await this.options.database.read.find(Tenant, { select: { _id: true }, where });
    return rows.map(({ _id }) => _id);
  }

  /** Lists tenants, over the connection for reports, so that a long list does not delay other reads. */
  async list(projectLimit: ProjectLimit, query: TenantQuery): Promise<ListPages> {
    const projects = await this.options.projects.listAll(projectLimit);
    return listTenants(this.options.database.report, query, { projects, projectLimit, presenter: this.presenter });
  }

  async create(context: ChangeContext, body: TenantBody): Promise<TenantResponse> {
    const { database, projects } = this.options;
    const { subdomain } = body;
    const tenant = await database
      .serializedWrite(context, async (manager) => {
        const project = await projects.find(manager, body.project, context.projects);
        if (!project) throw createFieldError('invalid', 'project', messages.unknownProject);
        const dbName = chooseDatabaseName(body, project.dbPrefix);
        const texts = {
          name: body.name,
          subdomain,
          dbName,
          responsibleName: body.responsibleName ?? null,
          responsibleContact: body.responsibleContact ?? null,
        };
        const row = {
          _id: uuid(),
          ...texts,
          searchText: createTenantSearchText(texts),
          projectId: project._id,
          source: 'project' as const,
          versionId: null,
          paused: body.paused ?? false,
          healthCheck: body.healthCheck ?? true,
          createdAt: new Date().toISOString(),
          version: 1,
        };
        await manager
          .insert(Tenant, row)
          .catch(mapUniqueViolation({ 'tenants(dbName)': ['dbName', messages.dbNameTaken(dbName)] }));
        await claimHost(manager, subdomain, { tenantId: row._id });
        await recordConfigChange(manager, 'tenant', row._id);
        return { ...row, project };
      })
      .catch(mapHostConflict(database.read, context, subdomain, ['subdomain', messages.subdomainTaken(subdomain)]));
    return this.waitForRollout(tenant);
  }

  async update(
    context: ChangeContext,
    id: string,
    { project, subdomain, ...changes }: TenantChanges,
  ): Promise<TenantResponse> {
    const tenant = await this.options.database.serializedWrite(context, async (manager) => {
      const stored = await requireTenant(manager, id, context.projects);
      const newProject =
        project === undefined ? stored.project : await this.options.projects.find(manager, project, context.projects);
      const fields = {
        ...(!newProject && { project: messages.unknownProject }),
        ...(subdomain !== undefined && subdomain !== stored.subdomain && { subdomain: messages.subdomainFixed }),
      };
      const [message] = Object.values(fields);
      if (!newProject || message) throw new RuleError('invalid', message ?? messages.unknownProject, { fields });
      const { project: _project, ...row } = editRow(stored, { ...changes, projectId: newProject._id }, context);
      await manager.update(Tenant, { _id: id }, { ...row, searchText: createTenantSearchText(row) });
      await recordConfigChange(manager, 'tenant', id);
      return { ...row, project: newProject };
    });
    return this.waitForRollout(tenant);
  }

  /**
   * Sets the primary domain, removes the previous one, and checks DNS and certificate. The DNS may still be wrong;
   * `domainStatus` shows its state.
   * @throws RuleError invalid, conflict, notFound
   */
  async setDomain(context: ChangeContext, id: string, { domain, www }: DomainBody): Promise<TenantResponse> {
    const { database, siteDomains, rollout, domainMonitor } = this.options;
    const tenant = await requireTenant(database.read, id, context.projects);
    await siteDomains.setPrimary(context, toDomainOwner(tenant), domain, www);
    const [rolloutStatus] = await Promise.all([rollout.waitForStatus(id), domainMonitor.checkNow(id)]);
    return this.presenter.toResponse(tenant, rolloutStatus);
  }

  /** Releases the primary domain if the tenant has one. @throws RuleError notFound */
  async removeDomain(context: ChangeContext, id: string): Promise<TenantResponse> {
    const tenant = await requireTenant(this.options.database.read, id, context.projects);
    await this.options.siteDomains.removePrimary(context, toDomainOwner(tenant));
    return this.waitForRollout(tenant);
  }

  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.options.database.serializedWrite(context, async (manager) => {
      await requireTenant(manager, id, context.projects);
      await this.options.siteDomains.removeAll(manager, id);
      await removeAllVersions(manager, id);
      await removePolicy(manager, id);
      await manager.delete(Tenant, { _id: id });
      await recordConfigChange(manager, 'tenant', id);
    });
  }
}

export const countTenants = (manager: EntityManager, projectId: string): Promise<number> =>
  manager.countBy(Tenant, { projectId });

const toDomainOwner = ({ _id: id, subdomain: label }: Tenant) => ({ kind: 'tenant' as const, id, label });

async function requireTenant(manager: EntityManager, id: string, projectLimit: ProjectLimit): Promise<Tenant> {
  const tenant = await manager.findOne(Tenant, { where: { _id: id }, relations: { project: true } });
  if (!tenant || !permitsProject(projectLimit, tenant.projectId)) throw new RuleError('notFound', messages.notFound);
  return tenant;
}

/**
 * Returns the database name of the body, or a derived name. Errors of a derived name are reported for `name`.
 * @throws RuleError invalid
 */
function chooseDatabaseName({ name, dbName }: TenantBody, dbPrefix: string): string {
  const derivedName = createDatabaseName(name, dbPrefix);
  const chosenName = dbName ?? derivedName;
  if (isDatabaseName(chosenName)) return chosenName;
  if (chosenName !== derivedName) throw createFieldError('invalid', 'dbName', messages.dbName);
  const bytes = Buffer.byteLength(derivedName);
  const message =
    bytes > MAX_DATABASE_NAME_BYTES ? messages.derivedNameLong(derivedName, bytes) : messages.derivedNameInvalid;
  throw createFieldError('invalid', 'name', message);
}
