import { type EntityManager, type FindOptionsWhere, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordConfigChange } from '../../platform/config-revisions/config-revisions';
import { editRow } from '../../platform/database/changes/apply-changes';
import { permitsProject } from '../../platform/database/changes/change-context';
import type { ChangeContext, Database } from '../../platform/database/database';
import { requireRow } from '../../platform/database/queries/require-row';
import { toLikePattern } from '../../platform/database/queries/search-text';
import { RuleError } from '../../platform/errors/rule-error';
import { toProbeTarget, toTargetKey } from '../../platform/net/probe-target';
import type { TargetRules } from '../../platform/net/target';
import type { DomainMonitor, SiteDomainsService } from '../domains';
import { removePolicy } from '../host-policies';
import { claimHost, mapHostConflict } from '../hosts';
import type { RolloutService } from '../rollout';
import { createBaseOwnerStore, removeAllVersions, type SiteOwnerStore } from '../sites';
import type { TargetHealthService } from '../target-health';
import { createSubdomainSearchText, Subdomain } from './subdomain.entity';
import { createStateSql, toCheckedSite } from './subdomain-health';
import { subdomainMessages as messages } from './subdomains.messages';
import type {
  ConnectionTestBody,
  SubdomainBody,
  SubdomainChanges,
  SubdomainQuery,
  SubdomainResponse,
} from './subdomains.schema';
import { checkResolvedHost, checkTarget, parseTarget, type TargetFields } from './target';

/** A page of rows with the configuration's revision, for `countAll`. */
const PAGE_SQL = `SELECT row.*, (SELECT value FROM configuration_revision) AS revision FROM subdomains AS row
  ORDER BY row."createdAt" DESC, row._id DESC LIMIT $1 OFFSET $2`;

interface SubdomainsOptions {
  database: Database;
  targetRules: TargetRules;
  health: TargetHealthService;
  rollout: RolloutService;
  domainMonitor: Pick<DomainMonitor, 'checkNow'>;
  siteDomains: Pick<SiteDomainsService, 'removeAll'>;
}

export class SubdomainsService {
  private cachedTotal: { revision: number; total: number } | undefined;

  constructor(private readonly options: SubdomainsOptions) {}

  /** The subdomain as a site owner. Only static subdomains have versions. */
  readonly siteOwner: SiteOwnerStore = {
    ...createBaseOwnerStore('subdomain', Subdomain),
    async find(manager, name, projectLimit) {
      if (!permitsProject(projectLimit, null)) throw new RuleError('notFound', messages.notFound);
      const { _id: id, subdomain, type, source, versionId } = await requireSubdomain(manager, name);
      const isStatic = type === 'static';
      const servedContent = { versionId, servesVersion: source === 'versions' };
      return { kind: 'subdomain', id, name: subdomain, label: subdomain, isStatic, ...servedContent, projectId: null };
    },
    async activate(manager, id, versionId) {
      const servedContent = { source: 'versions', versionId } as const;
      const targetKey = toTargetKey({ ...(await requireSubdomain(manager, id)), ...servedContent });
      await manager.update(Subdomain, { _id: id }, { ...servedContent, targetKey });
      await recordConfigChange(manager, 'subdomain', id);
    },
  };

  /** Waits for the rollout of a saved subdomain (`RolloutService`). @returns the response to the save */
  private async waitForRollout(row: Subdomain): Promise<SubdomainResponse> {
    const [live, response] = await Promise.all([this.options.rollout.waitForStatus(row._id), this.addHealthToRow(row)]);
    return { ...response, live };
  }

  /** Finds a subdomain by name or `_id`. @throws RuleError notFound */
  async get(name: string): Promise<SubdomainResponse> {
    return this.addHealthToRow(await requireSubdomain(this.options.database.read, name));
  }

  private async addHealthToRow(row: Subdomain): Promise<SubdomainResponse> {
    return { ...row, health: await this.options.health.findHealth(toCheckedSite(row)), live: null };
  }

  /** Checks the target and the domains of a subdomain now. @throws RuleError notFound */
  async check(name: string): Promise<SubdomainResponse> {
    const row = await requireSubdomain(this.options.database.read, name);
    const { target } = toCheckedSite(row);
    await Promise.all([target && this.options.health.check([target]), this.options.domainMonitor.checkNow(row._id)]);
    return this.addHealthToRow(row);
  }

  /** Probes a target that is not saved yet. @throws RuleError invalid for a target that could not be saved */
  async testConnection({ subdomain, ...fields }: ConnectionTestBody) {
    const target = checkTarget(parseTarget(fields), this.options.targetRules);
    await checkResolvedHost(target, this.options.targetRules);
    const probeTarget = toProbeTarget(target);
    const [{ steps }, sameTargets] = await Promise.all([
      probeTarget ? this.options.health.probe(probeTarget) : { steps: [] },
      this.options.database.read.find(Subdomain, {
        select: { subdomain: true },
        where: toTargetCondition(target),
        order: { subdomain: 'ASC' },
      }),
    ]);
    return { steps, usedBy: sameTargets.map((row) => row.subdomain).filter((label) => label !== subdomain) };
  }

  /** Finds labels by id. */
  async findNames(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.options.database.read.findBy(Subdomain, { _id: In([...ids]) });
    return new Map(rows.map(({ _id, subdomain }) => [_id, subdomain]));
  }

  /** Finds the id of a subdomain by its id or label; undefined if no subdomain matches. */
  async findId(nameOrId: string): Promise<string | undefined> {
    const where = [{ _id: nameOrId }, { subdomain: nameOrId.toLowerCase() }];
    return (await this.options.database.read.findOne(Subdomain, { where }))?._id;
  }

  count(): Promise<number> {
    return this.options.database.read.count(Subdomain);
  }

  async list(query: SubdomainQuery): Promise<{ subdomains: SubdomainResponse[]; total: number }> {
    const { rows, total } = await this.findPage(query);
    const rowsWithHealth = await this.options.health.addHealth(rows, toCheckedSite);
    return { subdomains: rowsWithHealth.map((row) => ({ ...row, live: null })), total };
  }

  private async findPage(parameters: SubdomainQuery): Promise<{ rows: Subdomain[]; total: number }> {
    const { page, limit, search, state } = parameters;
    const { read, report } = this.options.database;
    const offset = (page - 1) * limit;
    if (!search && !state) {
      // The console's most frequent call uses plain SQL, because the query builder takes longer than the query.
      const rows = await read.query<(Subdomain & { revision: number })[]>(PAGE_SQL, [limit, offset]);
      convertBooleans(read, rows);
      return { rows, total: await this.countAll(rows[0]?.revision) };
    }
    // Each condition is evaluated for every row, so the query uses the connection for reports.
    const query = report.createQueryBuilder(Subdomain, 'row');
    if (search) query.andWhere(`row.searchText LIKE :pattern ESCAPE '\\'`, { pattern: toLikePattern(search) });
    if (state) query.andWhere(`${createStateSql(report)} = :state`, { state });
    const [rows, total] = await query
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row._id', 'DESC')
      .offset(offset)
      .limit(limit)
      .getManyAndCount();
    return { rows, total };
  }

  /** COUNT reads the whole index, so the total is cached until the configuration's revision changes. */
  private async countAll(revision: number | undefined): Promise<number> {
    if (revision !== undefined && this.cachedTotal?.revision === revision) return this.cachedTotal.total;
    const total = await this.options.database.read.count(Subdomain);
    if (revision !== undefined) this.cachedTotal = { revision, total };
    return total;
  }

  async create(context: ChangeContext, body: SubdomainBody): Promise<SubdomainResponse> {
    const { subdomain, description } = body;
    const target = checkTarget(parseTarget(body), this.options.targetRules);
    await checkResolvedHost(target, this.options.targetRules);
    const servedContent = { source: body.source ?? 'folder', versionId: null };
    const row: Subdomain = {
      _id: uuid(),
      subdomain,
      description,
      searchText: createSubdomainSearchText({ subdomain, description }),
      ...target,
      spaFallback: body.spaFallback ?? true,
      ...servedContent,
      targetKey: toTargetKey({ ...target, ...servedContent }),
      paused: body.paused ?? false,
      healthCheck: body.healthCheck ?? true,
      createdAt: new Date().toISOString(),
      version: 1,
    };
    await this.options.database
      .serializedWrite(context, async (manager) => {
        await manager.insert(Subdomain, row);
        await claimHost(manager, subdomain, { subdomainId: row._id });
        await recordConfigChange(manager, 'subdomain', row._id);
      })
      .catch(mapHostConflict(this.options.database.read, context, subdomain, ['subdomain', messages.inUse(subdomain)]));
    return this.waitForRollout(row);
  }

  async update(context: ChangeContext, name: string, changes: SubdomainChanges): Promise<SubdomainResponse> {
    const changeRow = (stored: Subdomain): Subdomain => {
      const row = editRow(stored, changes, context);
      const target = checkTarget(parseTarget(row), this.options.targetRules);
      const targetKey = toTargetKey({ ...row, ...target });
      return { ...row, ...target, searchText: createSubdomainSearchText(row), targetKey };
    };
    const unsavedRow = changeRow(await requireSubdomain(this.options.database.read, name));
    await checkResolvedHost(unsavedRow, this.options.targetRules);
    const savedRow = await this.options.database.serializedWrite(context, async (manager) => {
      const row = changeRow(await requireSubdomain(manager, name));
      await manager.update(Subdomain, { _id: row._id }, row);
      await recordConfigChange(manager, 'subdomain', row._id);
      return row;
    });
    return this.waitForRollout(savedRow);
  }

  /** Removes a subdomain by name or `_id`. @throws RuleError notFound */
  async remove(context: ChangeContext, name: string): Promise<void> {
    await this.options.database.serializedWrite(context, async (manager) => {
      const { _id } = await requireSubdomain(manager, name);
      await this.options.siteDomains.removeAll(manager, _id);
      await removeAllVersions(manager, _id);
      await removePolicy(manager, _id);
      await manager.delete(Subdomain, { _id });
      await recordConfigChange(manager, 'subdomain', _id);
    });
  }
}

/** Converts the boolean columns of rows, which plain SQL returns as numbers on SQLite. */
function convertBooleans(manager: EntityManager, rows: readonly Subdomain[]): void {
  const { columns } = manager.connection.getMetadata(Subdomain);
  for (const column of columns.filter(({ type }) => type === 'boolean'))
    for (const row of rows) column.setEntityValue(row, Boolean(column.getEntityValue(row)));
}

/** A condition with those columns of the target that are not null, without the port of `/api`. */
const toTargetCondition = ({ apiPort: _apiPort, ...target }: TargetFields): FindOptionsWhere<Subdomain> =>
  Object.fromEntries(Object.entries(target).filter(([, value]) => value !== null));

const requireSubdomain = (manager: EntityManager, name: string): Promise<Subdomain> =>
  requireRow(manager, Subdomain, [{ subdomain: name.toLowerCase() }, { _id: name }], messages.notFound);
