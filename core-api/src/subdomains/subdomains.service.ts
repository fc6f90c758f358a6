import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordChange } from '../configuration/configuration.service';
import { editRow } from '../database/apply-changes';
import { takenAs } from '../database/conflicts';
import type { ChangeContext, Database } from '../database/source';
import { RuleError } from '../errors';
import type { Health, HealthService } from '../health/health.service';
import { claimHost } from '../hosts/hosts.service';
import type { Live, LiveService } from '../live/live.service';
import { plainText } from '../rules/plain-text';
import { type ProbeTarget, probeTargetOf } from '../rules/probe-target';
import type { TargetRules } from '../rules/target';
import { Subdomain, searchTextOf } from './subdomain.entity';
import { subdomainMessages as messages } from './subdomains.messages';
import type { ConnectionTestBody, SubdomainBody, SubdomainChanges } from './subdomains.schema';
import { checkResolved, checkTarget, readTarget, type TargetFields } from './target';

/** For `LIKE … ESCAPE '\\'`: the text anywhere, its own wildcards taken literally. */
const containing = (text: string) => `%${plainText(text).replace(/[\\%_]/g, '\\$&')}%`;

/** Carries the revision that the rows belong to, for `countAll`. */
const PAGE_SQL = `SELECT row.*, (SELECT value FROM configuration_revision) AS revision FROM subdomains AS row
  ORDER BY row."createdAt" DESC, row._id DESC LIMIT $1 OFFSET $2`;

/** A subdomain as REST answers it. */
export type SubdomainResponse = Subdomain & { health: Health; live: Live | null };

export class SubdomainsService {
  private cachedTotal: { revision: number; total: number } | undefined;

  constructor(
    private readonly database: Database,
    private readonly rules: TargetRules,
    private readonly health: HealthService,
    private readonly live: LiveService,
  ) {}

  /** For lists: without `live`. */
  async withHealth(rows: readonly Subdomain[]): Promise<SubdomainResponse[]> {
    const healthOf = await this.health.byHost(rows.map(checkedHost));
    return rows.map((row) => ({ ...row, health: healthOf(checkedHost(row)), live: null }));
  }

  /** For the answer to a save: waits until the edges serve it, up to the limit of `LiveService`. */
  async withLive(row: Subdomain): Promise<SubdomainResponse> {
    const [live, health] = await Promise.all([this.live.of(row._id), this.health.of(checkedHost(row))]);
    return { ...row, health, live };
  }

  /** Checks the target now. @throws RuleError notFound */
  async check(name: string): Promise<SubdomainResponse> {
    const row = await find(this.database.read, name);
    const { target } = checkedHost(row);
    if (target) await this.health.check([target]);
    return { ...row, health: await this.health.of(checkedHost(row)), live: null };
  }

  /** Probes a target that is not saved yet. @throws RuleError invalid for one that could not be saved */
  async testConnection({ subdomain, ...fields }: ConnectionTestBody) {
    const target = checkTarget(readTarget(fields), this.rules);
    await checkResolved(target, this.rules);
    const probeTarget = probeTargetOf(target);
    const [{ steps }, others] = await Promise.all([
      probeTarget ? this.health.probe(probeTarget) : { steps: [] },
      this.database.read.find(Subdomain, {
        select: { subdomain: true },
        where: sameTarget(target),
        order: { subdomain: 'ASC' },
      }),
    ]);
    return { steps, usedBy: others.map((other) => other.subdomain).filter((label) => label !== subdomain) };
  }

  /** Targets of all subdomains with `healthCheck`. */
  async probeTargets(): Promise<ProbeTarget[]> {
    const rows = await this.database.read
      .createQueryBuilder(Subdomain, 'row')
      .select(['type', 'port', '"staticPath"', '"apiPort"', '"targetHost"', '"targetPort"'])
      .where('row.healthCheck = :on', { on: true })
      .distinct()
      .getRawMany<Subdomain>();
    return rows.flatMap((row) => probeTargetOf(row) ?? []);
  }

  /** Names of subdomains whose target is down, sorted; without paused ones. */
  async down(): Promise<string[]> {
    const [isDown, rows] = await Promise.all([
      this.health.downHosts(),
      this.database.read.query<Subdomain[]>(
        `SELECT subdomain, type, port, "staticPath", "apiPort", "targetHost", "targetPort", "healthCheck" FROM subdomains
          WHERE "healthCheck" AND NOT paused ORDER BY subdomain`,
      ),
    ]);
    return rows.filter((row) => isDown(checkedHost(row))).map(({ subdomain }) => subdomain);
  }

  count(): Promise<number> {
    return this.database.read.count(Subdomain);
  }

  async list({ page, limit, search }: { page: number; limit: number; search?: string }) {
    const offset = (page - 1) * limit;
    if (!search) {
      // The console's most frequent call: plain SQL, since the query builder costs more than the query.
      const subdomains = await this.database.read.query<(Subdomain & { revision: number })[]>(PAGE_SQL, [
        limit,
        offset,
      ]);
      return { subdomains: subdomains.map(withBooleans), total: await this.countAll(subdomains[0]?.revision) };
    }
    const [subdomains, total] = await this.database.read
      .createQueryBuilder(Subdomain, 'row')
      .where(`row.searchText LIKE :pattern ESCAPE '\\'`, { pattern: containing(search) })
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row._id', 'DESC')
      .offset(offset)
      .limit(limit)
      .getManyAndCount();
    return { subdomains, total };
  }

  /** COUNT reads the whole index: the total is cached until the configuration's revision changes. */
  private async countAll(revision: number | undefined): Promise<number> {
    if (revision !== undefined && this.cachedTotal?.revision === revision) return this.cachedTotal.total;
    const total = await this.database.read.count(Subdomain);
    if (revision !== undefined) this.cachedTotal = { revision, total };
    return total;
  }

  async create(context: ChangeContext, body: SubdomainBody): Promise<Subdomain> {
    const { subdomain, description } = body;
    const target = checkTarget(readTarget(body), this.rules);
    await checkResolved(target, this.rules);
    const row: Subdomain = {
      _id: uuid(),
      subdomain,
      description,
      searchText: searchTextOf({ subdomain, description }),
      ...target,
      paused: body.paused ?? false,
      healthCheck: body.healthCheck ?? true,
      createdAt: new Date().toISOString(),
      version: 1,
    };
    const taken = ['subdomain', messages.taken(subdomain)] as const;
    return this.database
      .change(context, async (manager) => {
        await manager.insert(Subdomain, row);
        await claimHost(manager, subdomain, { subdomainId: row._id });
        await recordChange(manager, 'subdomain', row._id);
        return row;
      })
      .catch(takenAs({ 'subdomains(subdomain)': taken, 'host_claims(host)': taken }));
  }

  async update(context: ChangeContext, name: string, changes: SubdomainChanges): Promise<Subdomain> {
    const changed = (found: Subdomain): Subdomain => {
      const row = editRow(found, changes, context);
      return { ...row, searchText: searchTextOf(row), ...checkTarget(readTarget(row), this.rules) };
    };
    await checkResolved(changed(await find(this.database.read, name)), this.rules);
    return this.database.change(context, async (manager) => {
      const row = changed(await find(manager, name));
      await manager.update(Subdomain, { _id: row._id }, row);
      await recordChange(manager, 'subdomain', row._id);
      return row;
    });
  }

  /** By name or by `_id`. @throws RuleError notFound */
  async remove(context: ChangeContext, name: string): Promise<void> {
    await this.database.change(context, async (manager) => {
      const { _id } = await find(manager, name);
      await manager.delete(Subdomain, { _id });
      await recordChange(manager, 'subdomain', _id);
    });
  }
}

const checkedHost = (row: Subdomain) => ({ healthCheck: row.healthCheck, target: probeTargetOf(row) });

/** SQLite has no booleans, and plain SQL has no column types. */
const withBooleans = <Row extends Subdomain>(row: Row): Row => ({
  ...row,
  paused: Boolean(row.paused),
  healthCheck: Boolean(row.healthCheck),
});

/** The columns that name the target; those of other types are null. */
const sameTarget = ({ type, port, staticPath, targetHost, targetPort }: TargetFields): FindOptionsWhere<Subdomain> =>
  Object.fromEntries(
    Object.entries({ type, port, staticPath, targetHost, targetPort }).filter(([, value]) => value !== null),
  );

async function find(manager: EntityManager, name: string): Promise<Subdomain> {
  const found = await manager.findOne(Subdomain, { where: [{ subdomain: name.toLowerCase() }, { _id: name }] });
  if (!found) throw new RuleError('notFound', messages.notFound);
  return found;
}
