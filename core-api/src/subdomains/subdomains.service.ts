import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { takenAs } from '../database/conflicts';
import { HostClaim } from '../database/host-claims';
import { recordChange } from '../database/revision';
import type { Database } from '../database/source';
import { RuleError } from '../http/errors';
import { parseLabel, reservedLabels } from '../rules/hostname';
import { plainText } from '../rules/plain-text';
import { Subdomain, searchTextOf } from './subdomain.entity';
import { subdomainMessages as messages } from './subdomains.messages';
import type { SubdomainBody, SubdomainChanges } from './subdomains.schema';
import { checkTarget, type PartialTarget, type TargetFields, type TargetRules } from './target';

const invalid = (field: string, sentence: string) =>
  new RuleError('invalid', sentence, { fields: { [field]: sentence } });

/** A label that may be claimed, canonical. @throws RuleError invalid */
function checkLabel(text: string): string {
  const label = parseLabel(text);
  if (!label) throw invalid('subdomain', messages.label);
  if (reservedLabels.has(label)) throw invalid('subdomain', messages.reserved);
  return label;
}

/** For `LIKE … ESCAPE '\\'`: the text anywhere, its own wildcards taken literally. */
const containing = (text: string) => `%${plainText(text).replace(/[\\%_]/g, '\\$&')}%`;

/** With the revision that the rows belong to. */
const PAGE = `SELECT row.*, (SELECT value FROM configuration_revision) AS revision FROM subdomains AS row
  ORDER BY row."createdAt" DESC, row._id DESC LIMIT $1 OFFSET $2`;

export class SubdomainsService {
  private counted: { revision: number; total: number } | undefined;

  constructor(
    private readonly database: Database,
    private readonly rules: TargetRules,
  ) {}

  async list({ page, limit, search }: { page: number; limit: number; search?: string }) {
    const offset = (page - 1) * limit;
    if (!search) {
      // The console's most frequent call: plain SQL costs less than half of what the query builder does.
      const subdomains = await this.database.read.query<(Subdomain & { revision: number })[]>(PAGE, [limit, offset]);
      return { subdomains, total: await this.countAll(subdomains[0]?.revision) };
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

  /** Counting reads the whole index, so the total is kept for as long as the configuration's revision stays. */
  private async countAll(revision: number | undefined): Promise<number> {
    if (revision !== undefined && this.counted?.revision === revision) return this.counted.total;
    const total = await this.database.read.count(Subdomain);
    if (revision !== undefined) this.counted = { revision, total };
    return total;
  }

  async create(body: SubdomainBody): Promise<Subdomain> {
    const subdomain = checkLabel(body.subdomain);
    const row: Subdomain = {
      _id: uuid(),
      subdomain,
      description: body.description,
      searchText: searchTextOf({ subdomain, description: body.description }),
      ...checkTarget(targetOf(body), this.rules),
      createdAt: new Date().toISOString(),
    };
    return this.database
      .write(async (manager) => {
        await manager.insert(Subdomain, row);
        await manager.insert(HostClaim, { host: subdomain, subdomainId: row._id });
        await recordChange(manager, 'subdomain', row._id);
        return row;
      })
      .catch(takenAs('subdomain', messages.taken(subdomain)));
  }

  async update(name: string, { description, ...changes }: SubdomainChanges): Promise<Subdomain> {
    return this.database.write(async (manager) => {
      const found = await find(manager, name);
      const text = description ?? found.description;
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const row = {
        ...found,
        description: text,
        searchText: searchTextOf({ subdomain: found.subdomain, description: text }),
        ...checkTarget({ ...targetOf(found), ...given }, this.rules),
      };
      await manager.update(Subdomain, { _id: found._id }, row);
      await recordChange(manager, 'subdomain', found._id);
      return row;
    });
  }

  /** By name or by `_id`. @throws RuleError notFound */
  async remove(name: string): Promise<void> {
    await this.database.write(async (manager) => {
      const { _id } = await find(manager, name);
      await manager.delete(Subdomain, { _id });
      await recordChange(manager, 'subdomain', _id);
    });
  }
}

async function find(manager: EntityManager, name: string): Promise<Subdomain> {
  const found = await manager.findOne(Subdomain, { where: [{ subdomain: name.toLowerCase() }, { _id: name }] });
  if (!found) throw new RuleError('notFound', messages.notFound);
  return found;
}

const targetOf = ({ type, port, staticPath, apiPort, targetHost, targetPort }: PartialTarget): TargetFields => ({
  type,
  port: port ?? null,
  staticPath: staticPath ?? null,
  apiPort: apiPort ?? null,
  targetHost: targetHost ?? null,
  targetPort: targetPort ?? null,
});
