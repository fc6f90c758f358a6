import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Database } from '../../../platform/database/database';
import { insertAll } from '../../../platform/database/queries/insert-all';
import type { KeysService } from '../keys';
import { LoggedRequest } from './request-log.entity';
import type { RequestQuery } from './requests.schema';

export type RequestEntry = Omit<LoggedRequest, '_id'>;

/** Limit per installation. */
const MAX_ENTRIES = 10_000;
/** The oldest successes are removed first, until this many are left, and then the oldest entries of any status. */
const MIN_SUCCESSES = 5_000;
const SUCCESS = 'status < 400';

/** Adds entries, and removes the oldest entries beyond the limit, in the transaction of `manager`. */
export async function appendRequests(manager: EntityManager, entries: readonly RequestEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({ _id: uuid({ msecs: Date.parse(entry.at) }), ...entry }));
  await insertAll(manager, LoggedRequest, rows);
  const excess = (await manager.count(LoggedRequest)) - MAX_ENTRIES;
  if (excess <= 0) return;
  const successes = await manager.createQueryBuilder(LoggedRequest, 'entry').where(SUCCESS).getCount();
  const excessSuccesses = Math.min(excess, Math.max(0, successes - MIN_SUCCESSES));
  await removeOldest(manager, excessSuccesses, SUCCESS);
  await removeOldest(manager, excess - excessSuccesses, '1 = 1');
}

async function removeOldest(manager: EntityManager, count: number, where: string): Promise<void> {
  if (count <= 0) return;
  const oldestRows = manager
    .createQueryBuilder(LoggedRequest, 'entry')
    .select('entry._id')
    .where(where)
    .orderBy('entry._id', 'ASC')
    .limit(count);
  await manager.createQueryBuilder().delete().from(LoggedRequest).where(`_id IN (${oldestRows.getQuery()})`).execute();
}

interface ServerErrors {
  subdomainId: string | null;
  tenantId: string | null;
  count: number;
}

export class RequestLogService {
  constructor(
    private readonly database: Database,
    private readonly keys: Pick<KeysService, 'findNames'>,
    private readonly subdomains: { findId(labelOrId: string): Promise<string | undefined> },
  ) {}

  /**
   * Counts responses with 5xx after `since` by host, most errors first. Both ids are null for the gateway. A removed
   * host keeps its id.
   * @param since ISO 8601 UTC
   * @param tenantIds if given, only requests of these tenants are counted
   */
  async countServerErrors(since: string, tenantIds?: readonly string[]): Promise<ServerErrors[]> {
    if (tenantIds?.length === 0) return [];
    const query = this.database.read
      .createQueryBuilder(LoggedRequest, 'entry')
      .select('entry.subdomainId', 'subdomainId')
      .addSelect('entry.tenantId', 'tenantId')
      .addSelect('SUM(entry.weight)', 'count')
      .where('entry.status >= 500 AND entry.at > :since', { since })
      .groupBy('entry.subdomainId')
      .addGroupBy('entry.tenantId');
    if (tenantIds) query.andWhere('entry.tenantId IN (:...tenantIds)', { tenantIds });
    const rows = await query.getRawMany<Omit<ServerErrors, 'count'> & { count: number | string }>();
    return rows.map((row) => ({ ...row, count: Number(row.count) })).sort((a, b) => b.count - a.count);
  }

  /** Counts requests and 5xx responses since an instant, by host or route. Requests to paused sites are left out. */
  async listErrorRates(
    column: 'subdomainId' | 'tenantId' | 'routeId',
    since: string,
  ): Promise<{ id: string; errors: number; total: number }[]> {
    const rows = await this.database.read
      .createQueryBuilder(LoggedRequest, 'entry')
      .select(`entry.${column}`, 'id')
      .addSelect('SUM(CASE WHEN entry.status >= 500 THEN entry.weight ELSE 0 END)', 'errors')
      .addSelect('SUM(entry.weight)', 'total')
      .where(`entry.at > :since AND entry.${column} IS NOT NULL`, { since })
      .andWhere(`(entry.reason IS NULL OR entry.reason <> 'paused')`)
      .groupBy(`entry.${column}`)
      .getRawMany<{ id: string; errors: number | string; total: number | string }>();
    return rows.map(({ id, errors, total }) => ({ id, errors: Number(errors), total: Number(total) }));
  }

  /** Lists entries, the newest first. */
  async list({ key, route, subdomain, tenant, status, since, limit }: RequestQuery) {
    const query = this.database.read
      .createQueryBuilder(LoggedRequest, 'entry')
      .orderBy('entry._id', 'DESC')
      .take(limit);
    // The id of a removed subdomain still finds its requests.
    const subdomainId = subdomain && ((await this.subdomains.findId(subdomain)) ?? subdomain);
    const filters = { keyId: key, routeId: route, subdomainId, tenantId: tenant };
    for (const [column, value] of Object.entries(filters)) {
      if (value !== undefined) query.andWhere(`entry.${column} = :${column}`, { [column]: value });
    }
    if (since !== undefined) query.andWhere('entry.at > :since', { since });
    if (status === 'refused') query.andWhere('entry.reason IS NOT NULL');
    else if (status) query.andWhere('entry.status BETWEEN :from AND :to', status);
    const entries = await query.getMany();
    const names = await this.keys.findNames([...new Set(entries.flatMap(({ keyId }) => keyId ?? []))]);
    return entries.map((entry) => ({ ...entry, keyName: (entry.keyId && names.get(entry.keyId)) || null }));
  }
}
