import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordChange } from '../configuration/configuration.service';
import { editRow } from '../database/apply-changes';
import { takenAs } from '../database/conflicts';
import type { ChangeContext, Database } from '../database/source';
import type { DomainStatusResponse, DomainsService } from '../domains/domains.service';
import { fieldError, RuleError } from '../errors';
import type { Health, HealthService } from '../health/health.service';
import { claimHost, releaseHost } from '../hosts/hosts.service';
import type { Live, LiveService } from '../live/live.service';
import type { ProjectsService } from '../projects/projects.service';
import { databaseName, isDatabaseName, MAX_DATABASE_NAME_BYTES } from '../rules/database-name';
import { type ProbeTarget, probeTargetOfProject } from '../rules/probe-target';
import { checkDomain } from './custom-domain';
import { Tenant } from './tenant.entity';
import { tenantMessages as messages } from './tenants.messages';
import type { DomainBody, TenantBody, TenantChanges } from './tenants.schema';

/** A tenant as REST answers it. */
export type TenantResponse = Tenant & {
  health: Health;
  domainStatus: DomainStatusResponse[] | null;
  live: Live | null;
};

export class TenantsService {
  constructor(
    private readonly database: Database,
    private readonly projects: Pick<ProjectsService, 'find' | 'list'>,
    private readonly baseDomain: string,
    private readonly domains: DomainsService,
    private readonly health: HealthService,
    private readonly live: LiveService,
  ) {}

  /** For lists: without `live`. */
  async present(rows: readonly Tenant[]): Promise<TenantResponse[]> {
    const [healthOf, statusOf] = await Promise.all([
      this.health.byHost(rows.map(checkedHost)),
      this.domains.statusOf(),
    ]);
    return rows.map((row) => ({
      ...row,
      health: healthOf(checkedHost(row)),
      domainStatus: domainStatusOf(row, statusOf),
      live: null,
    }));
  }

  private async presentOne(row: Tenant, live: Live | null): Promise<TenantResponse> {
    const [health, statusOf] = await Promise.all([this.health.of(checkedHost(row)), this.domains.statusOf(row._id)]);
    return { ...row, health, domainStatus: domainStatusOf(row, statusOf), live };
  }

  /** For the answer to a save: waits until the edges serve it, up to the limit of `LiveService`. */
  async withLive(row: Tenant): Promise<TenantResponse> {
    return this.presentOne(row, await this.live.of(row._id));
  }

  /** For the answer after the domain was set: checks DNS and certificate first. */
  async withDomain(row: Tenant): Promise<TenantResponse> {
    const [live] = await Promise.all([this.live.of(row._id), this.domains.checkNow(row._id)]);
    return this.presentOne(row, live);
  }

  /** Checks target and domain now. @throws RuleError notFound */
  async check(id: string): Promise<TenantResponse> {
    const row = await findTenant(this.database.read, id);
    const { target } = checkedHost(row);
    await Promise.all([target && this.health.check([target]), this.domains.checkNow(id)]);
    return this.presentOne(row, null);
  }

  /** Targets of all tenants with `healthCheck`. */
  async probeTargets(): Promise<ProbeTarget[]> {
    const used: { projectId: string }[] = await this.database.read
      .createQueryBuilder(Tenant, 'row')
      .select('row.projectId', 'projectId')
      .where('row.healthCheck = :on', { on: true })
      .distinct()
      .getRawMany();
    const ids = new Set(used.map(({ projectId }) => projectId));
    const projects = await this.projects.list();
    return projects.filter(({ _id }) => ids.has(_id)).flatMap((project) => probeTargetOfProject(project) ?? []);
  }

  /** Tenants whose target is down, by name; without paused ones. */
  async down(): Promise<Pick<Tenant, '_id' | 'name'>[]> {
    const isDown = await this.health.downHosts();
    const projects = (await this.projects.list()).filter((project) =>
      isDown({ healthCheck: true, target: probeTargetOfProject(project) }),
    );
    if (projects.length === 0) return [];
    return this.database.read.find(Tenant, {
      select: { _id: true, name: true },
      where: { projectId: In(projects.map(({ _id }) => _id)), healthCheck: true, paused: false },
      order: { name: 'ASC' },
    });
  }

  count(): Promise<number> {
    return this.database.read.count(Tenant);
  }

  /** Plain SQL: the list is not paged, and the query builder's hydration costs more than the query. */
  async list(): Promise<Tenant[]> {
    const { read } = this.database;
    const rows = await read.query<Omit<Tenant, 'project'>[]>('SELECT * FROM tenants ORDER BY name, _id');
    const projects = new Map((await this.projects.list()).map((project) => [project._id, project]));
    return rows.flatMap((row) => {
      const project = projects.get(row.projectId);
      // SQLite has no booleans, and plain SQL has no column types.
      const booleans = { paused: Boolean(row.paused), healthCheck: Boolean(row.healthCheck) };
      return project ? [{ ...row, ...booleans, project }] : [];
    });
  }

  async create(context: ChangeContext, body: TenantBody): Promise<Tenant> {
    const { subdomain } = body;
    return this.database.change(context, async (manager) => {
      const project = await this.projects.find(manager, body.project);
      if (!project) throw fieldError('invalid', 'project', messages.unknownProject);
      const dbName = checkDatabaseName(body, project.dbPrefix);
      const row = {
        _id: uuid(),
        name: body.name,
        projectId: project._id,
        subdomain,
        dbName,
        customDomain: null,
        wwwMode: 'serve' as const,
        paused: body.paused ?? false,
        healthCheck: body.healthCheck ?? true,
        responsibleName: body.responsibleName ?? null,
        responsibleContact: body.responsibleContact ?? null,
        createdAt: new Date().toISOString(),
        version: 1,
      };
      const taken = ['subdomain', messages.subdomainTaken(subdomain)] as const;
      await manager
        .insert(Tenant, row)
        .then(() => claimHost(manager, subdomain, { tenantId: row._id }))
        .catch(
          takenAs({
            'tenants(subdomain)': taken,
            'host_claims(host)': taken,
            'tenants(dbName)': ['dbName', messages.dbNameTaken(dbName)],
          }),
        );
      await recordChange(manager, 'tenant', row._id);
      return { ...row, project };
    });
  }

  async update(context: ChangeContext, id: string, { project, subdomain, ...changes }: TenantChanges): Promise<Tenant> {
    return this.database.change(context, async (manager) => {
      const found = await findTenant(manager, id);
      const owner = project === undefined ? found.project : await this.projects.find(manager, project);
      const fields = {
        ...(!owner && { project: messages.unknownProject }),
        ...(subdomain !== undefined && subdomain !== found.subdomain && { subdomain: messages.subdomainFixed }),
      };
      const [sentence] = Object.values(fields);
      if (!owner || sentence) throw new RuleError('invalid', sentence ?? messages.unknownProject, { fields });
      const row = { ...editRow(found, changes, context), project: owner, projectId: owner._id };
      const { name, projectId, responsibleName, responsibleContact, paused, healthCheck, version } = row;
      await manager.update(
        Tenant,
        { _id: id },
        { name, projectId, responsibleName, responsibleContact, paused, healthCheck, version },
      );
      await recordChange(manager, 'tenant', id);
      return row;
    });
  }

  /**
   * Replaces an earlier domain. DNS is not required to be correct yet: `domainStatus` shows it.
   * @throws RuleError invalid, conflict, notFound
   */
  async setDomain(context: ChangeContext, id: string, { domain, www }: DomainBody): Promise<Tenant> {
    await findTenant(this.database.read, id);
    const customDomain = checkDomain(domain, this.baseDomain);
    const proven = await this.domains.isProven(customDomain, id);
    return this.database
      .change(context, async (manager) => {
        const found = await findTenant(manager, id);
        if (found.customDomain !== customDomain) {
          if (found.customDomain) await this.releaseDomain(manager, id, found.customDomain);
          await claimHost(manager, customDomain, { tenantId: id });
          await this.domains.requireProof(manager, customDomain, id, proven);
          await this.domains.startMonitoring(manager, customDomain, id);
        }
        return storeDomain(manager, found, { customDomain, wwwMode: www });
      })
      .catch(takenAs({ 'host_claims(host)': ['domain', messages.domainTaken(customDomain)] }));
  }

  async removeDomain(context: ChangeContext, id: string): Promise<Tenant> {
    return this.database.change(context, async (manager) => {
      const found = await findTenant(manager, id);
      if (found.customDomain) await this.releaseDomain(manager, id, found.customDomain);
      return storeDomain(manager, found, { customDomain: null, wwwMode: 'serve' });
    });
  }

  private async releaseDomain(manager: EntityManager, id: string, domain: string): Promise<void> {
    await releaseHost(manager, domain);
    await this.domains.release(manager, domain, id);
  }

  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.change(context, async (manager) => {
      const { customDomain } = await findTenant(manager, id);
      if (customDomain) await this.releaseDomain(manager, id, customDomain);
      await manager.delete(Tenant, { _id: id });
      await recordChange(manager, 'tenant', id);
    });
  }
}

/** How many tenants use a project. */
export const countTenants = (manager: EntityManager, projectId: string): Promise<number> =>
  manager.countBy(Tenant, { projectId });

const checkedHost = ({ healthCheck, project }: Tenant) => ({ healthCheck, target: probeTargetOfProject(project) });

const domainStatusOf = ({ _id, customDomain }: Tenant, statusOf: ReadonlyMap<string, DomainStatusResponse[]>) =>
  customDomain === null ? null : (statusOf.get(_id) ?? []);

/** The name that was sent, or else the derived one, whose errors are those of `name`. @throws RuleError invalid */
function checkDatabaseName({ name, dbName }: TenantBody, dbPrefix: string): string {
  const derived = databaseName(name, dbPrefix);
  const chosen = dbName ?? derived;
  if (isDatabaseName(chosen)) return chosen;
  if (chosen !== derived) throw fieldError('invalid', 'dbName', messages.dbName);
  const bytes = Buffer.byteLength(derived);
  const sentence = bytes > MAX_DATABASE_NAME_BYTES ? messages.nameTooLong(derived, bytes) : messages.nameOfDatabase;
  throw fieldError('invalid', 'name', sentence);
}

async function storeDomain(
  manager: EntityManager,
  tenant: Tenant,
  domain: Pick<Tenant, 'customDomain' | 'wwwMode'>,
): Promise<Tenant> {
  await manager.update(Tenant, { _id: tenant._id }, domain);
  await recordChange(manager, 'tenant', tenant._id);
  return { ...tenant, ...domain };
}

async function findTenant(manager: EntityManager, id: string): Promise<Tenant> {
  const found = await manager.findOne(Tenant, { where: { _id: id }, relations: { project: true } });
  if (!found) throw new RuleError('notFound', messages.notFound);
  return found;
}
