import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { insertAll } from '../../database/insert-all';
import type { Database } from '../../database/source';
import { LoggedRequest } from './request-log.entity';
import type { RequestQuery } from './requests.schema';

export type RequestEntry = Omit<LoggedRequest, '_id'>;

/** Per installation. */
const MAX_ENTRIES = 10_000;
/** The oldest successes are removed first, until so many are left; then the oldest entries of any status. */
const MIN_SUCCESSES = 5_000;
const SUCCESS = 'status < 400';

/** Adds entries and removes the excess, in the transaction of the caller. */
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
  const oldest = manager
    .createQueryBuilder(LoggedRequest, 'entry')
    .select('entry._id')
    .where(where)
    .orderBy('entry._id', 'ASC')
    .limit(count);
  await manager.createQueryBuilder().delete().from(LoggedRequest).where(`_id IN (${oldest.getQuery()})`).execute();
}

export class RequestLogService {
  constructor(private readonly database: Database) {}

  /** Requests that were answered with 5xx since then. @param since ISO 8601 UTC */
  async countFaults(since: string): Promise<number> {
    const [row] = await this.database.read.query<{ faults: number | string | null }[]>(
      'SELECT SUM(weight) AS faults FROM request_log WHERE status >= 500 AND "at" > $1',
      [since],
    );
    return Number(row?.faults ?? 0);
  }

  /** The newest first. */
  async list({ key, route, subdomain, tenant, status, since, limit }: RequestQuery): Promise<LoggedRequest[]> {
    const query = this.database.read
      .createQueryBuilder(LoggedRequest, 'entry')
      .orderBy('entry._id', 'DESC')
      .take(limit);
    const filters = { keyId: key, routeId: route, subdomainId: subdomain, tenantId: tenant };
    for (const [column, value] of Object.entries(filters)) {
      if (value !== undefined) query.andWhere(`entry.${column} = :${column}`, { [column]: value });
    }
    if (since !== undefined) query.andWhere('entry.at > :since', { since });
    if (status === 'refused') query.andWhere('entry.reason IS NOT NULL');
    else if (status) query.andWhere('entry.status BETWEEN :from AND :to', status);
    return query.getMany();
  }
}
