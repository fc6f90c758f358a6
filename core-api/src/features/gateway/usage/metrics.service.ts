import { Not } from 'typeorm';
import type { Database } from '../../../platform/database/database';
import { addSums, countColumns, toCounts } from './count-columns';
import {
  type MetricsCounts,
  type MetricsCsvQuery,
  type MetricsQuery,
  type MetricsSubject,
  metricsSubjects,
} from './metrics.schema';
import { csvHeader, formatCsvLines } from './metrics-csv';
import { HOUR_S } from './rollups';
import { listBucketStarts, splitIntoUnits, type TimeRange, toRankingUnits, toTimeRange } from './time-range';
import { type UsageDimension, UsageSubject } from './usage.entity';
import { type Subject, UsageSums } from './usage-sums';

/** Maximum number of subjects, so that the console's table stays readable. */
const MAX_SUBJECTS = 100;
/** `hourPairs` is a text such as `[0,12],[3,5]`: pairs of an hour, counted from `$1`, and its number of requests. */
const KEY_ACTIVITY_SQL = `SELECT s."entityId",
    (SELECT string_agg('[' || (u."at" - $1) || ',' || u.requests || ']', ',') FROM usage_hours u
      WHERE u.subject = s.id AND u."at" BETWEEN $1 AND $2 AND u.requests > 0) AS "hourPairs"
  FROM usage_subjects s WHERE s.dimension = 'key' AND s.reason = ''`;

/** Functions that return names by id, without ids that no longer exist. */
export type NameLookups = Record<MetricsSubject, (ids: readonly string[]) => Promise<Map<string, string>>>;

/** Forwarded and refused requests of the gateway by service, route and key. */
export class MetricsService {
  private readonly sums: UsageSums;

  constructor(
    private readonly database: Pick<Database, 'report'>,
    private readonly findNames: NameLookups,
    /** Returns prefixes of keys by id, without keys that have no prefix. */
    private readonly findKeyPrefixes: (ids: readonly string[]) => Promise<Map<string, string>>,
  ) {
    this.sums = new UsageSums(database);
  }

  async get(query: MetricsQuery) {
    const { range, by } = query;
    const timeRange = toTimeRange(range, Date.now());
    const [dimension, entityId] = toFilteredSubject(query);
    const filteredSubjects = await this.database.report.findBy(UsageSubject, { dimension, entityId, reason: '' });
    const ids = filteredSubjects.map(({ id }) => id);
    const sumsByBucket = new Map<number, number[]>();
    for await (const [, sums] of this.sums.sumByBucket(ids, countColumns, timeRange))
      for (const [index, sum] of sums) sumsByBucket.set(index, sum);
    return {
      range,
      by,
      bucketSeconds: timeRange.bucketSeconds,
      from: new Date(timeRange.fromMs).toISOString(),
      totals: toCounts(addSums([...sumsByBucket.values()])),
      refusals: await this.findRefusals(timeRange, dimension, entityId),
      points: listBucketStarts(timeRange).map((at, index) => ({ at, counts: toCounts(sumsByBucket.get(index)) })),
      subjects: await this.findSubjects(timeRange, by),
    };
  }

  /** Returns a CSV line for each of the busiest subjects and each bucket with traffic. */
  async createCsv({ range, by }: MetricsCsvQuery): Promise<string> {
    const timeRange = toTimeRange(range, Date.now());
    const busiestSubjects = await this.findBusiest(timeRange, by);
    const names = await this.findNames[by](busiestSubjects.map(({ entityId }) => entityId));
    const entityIds = new Map(busiestSubjects.map(({ id, entityId }) => [id, entityId]));
    const starts = listBucketStarts(timeRange);
    let table = csvHeader;
    for await (const [subjectId, sums] of this.sums.sumByBucket([...entityIds.keys()], countColumns, timeRange)) {
      const entityId = entityIds.get(subjectId) ?? '';
      const points = [...sums].map(([index, sum]) => ({ at: starts[index] ?? '', counts: toCounts(sum) }));
      table += formatCsvLines(entityId, names.get(entityId) ?? '', points);
    }
    return table;
  }

  /** Returns the requests per hour of the last 24 hours for every key that was used in these hours. */
  async getKeyActivity() {
    const hourCount = 24;
    const firstHour = Math.floor(Date.now() / 1000 / HOUR_S) - hourCount + 1;
    const { report } = this.database;
    const bounds = [firstHour, firstHour + hourCount - 1];
    const rows = await report.query<{ entityId: string; hourPairs: string | null }[]>(KEY_ACTIVITY_SQL, bounds);
    const keys = rows.flatMap(({ entityId, hourPairs }) => {
      if (hourPairs === null) return [];
      const requests = new Array<number>(hourCount).fill(0);
      const hourly: [hour: number, requests: number][] = JSON.parse(`[${hourPairs}]`);
      for (const [hour, requestCount] of hourly) requests[hour] = requestCount;
      return { keyId: entityId, requests };
    });
    return { from: new Date(firstHour * HOUR_S * 1000).toISOString(), keys };
  }

  private async findSubjects(timeRange: TimeRange, by: MetricsSubject) {
    const busiestSubjects = await this.findBusiest(timeRange, by);
    const ids = busiestSubjects.map(({ id }) => id);
    const parts: Map<number, number[]>[] = [];
    for (const part of splitIntoUnits(timeRange)) parts.push(await this.sums.sumBySubject(ids, countColumns, part));
    const entityIds = busiestSubjects.map(({ entityId }) => entityId);
    const names = await this.findNames[by](entityIds);
    const prefixes = by === 'key' ? await this.findKeyPrefixes(entityIds) : undefined;
    return busiestSubjects
      .map(({ id, entityId }) => ({
        id: entityId,
        name: names.get(entityId) ?? null,
        prefix: prefixes?.get(entityId) ?? null,
        counts: toCounts(addSums(parts.map((part) => part.get(id) ?? []))),
      }))
      .filter(({ counts }) => countForwardedAndRefused(counts) > 0)
      .sort((a, b) => countForwardedAndRefused(b.counts) - countForwardedAndRefused(a.counts));
  }

  /** Finds the subjects with the most forwarded and refused requests. The counted time may begin before the range. */
  private findBusiest(timeRange: TimeRange, by: MetricsSubject): Promise<Subject[]> {
    return this.sums.findBusiest(by, ['requests', 'refused'], toRankingUnits(timeRange), MAX_SUBJECTS);
  }

  /** Counts the refusals by reason, the most frequent reason first. */
  private async findRefusals(timeRange: TimeRange, dimension: UsageDimension, entityId: string) {
    const reasons = await this.database.report.findBy(UsageSubject, { dimension, entityId, reason: Not('') });
    const refusedById = new Map(reasons.map(({ id }) => [id, 0]));
    for (const part of splitIntoUnits(timeRange))
      for (const [id, [refused = 0]] of await this.sums.sumBySubject([...refusedById.keys()], ['refused'], part))
        refusedById.set(id, (refusedById.get(id) ?? 0) + refused);
    return reasons
      .map(({ id, reason }) => ({ reason, count: refusedById.get(id) ?? 0 }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}

/** The subject of the query's filter; without a filter, the whole gateway. */
function toFilteredSubject(query: MetricsQuery): [dimension: UsageDimension, entityId: string] {
  for (const subject of metricsSubjects) {
    const id = query[subject];
    if (id) return [subject, id];
  }
  return ['gateway', 'gateway'];
}

const countForwardedAndRefused = ({ requests, refused }: MetricsCounts): number => requests + refused;
