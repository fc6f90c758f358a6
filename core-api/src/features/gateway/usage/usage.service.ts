import { chunks } from '../../../platform/collections/chunks';
import type { Database } from '../../../platform/database/database';
import type { KeysService } from '../keys';
import { DAY_S, days, HOUR_S, hours, MINUTE_S, minutes, toUnits } from './rollups';
import { listBucketStarts, type TimeRange } from './time-range';
import type { UsageRange } from './usage.schema';
import { UsageSums } from './usage-sums';

type RangeSettings = Pick<TimeRange, 'bucketSeconds' | 'buckets' | 'bucketRollup' | 'rankingRollup'>;

const settings: Record<UsageRange, RangeSettings> = {
  day: { bucketSeconds: 15 * MINUTE_S, buckets: 96, bucketRollup: minutes, rankingRollup: hours },
  week: { bucketSeconds: 2 * HOUR_S, buckets: 84, bucketRollup: hours, rankingRollup: days },
  month: { bucketSeconds: 8 * HOUR_S, buckets: 90, bucketRollup: hours, rankingRollup: days },
  year: { bucketSeconds: 4 * DAY_S, buckets: 92, bucketRollup: days, rankingRollup: days },
};

/** Maximum number of curves, so that the console's chart stays readable. */
const MAX_SERIES = 50;

const historyColumns = ['requests', 'errors4xx', 'errors5xx', 'durationMs'];

export class UsageService {
  private readonly sums: UsageSums;

  constructor(
    database: Pick<Database, 'report'>,
    private readonly keys: Pick<KeysService, 'findNames'>,
  ) {
    this.sums = new UsageSums(database);
  }

  /** Returns requests and errors over time of the 50 busiest keys, busiest first. Empty buckets are included. */
  async getHistory(range: UsageRange) {
    const { bucketSeconds, buckets, bucketRollup, rankingRollup } = settings[range];
    const from = (Math.floor(Date.now() / 1000 / bucketSeconds) - buckets + 1) * bucketSeconds;
    const shownRange = { bucketRollup, bucketSeconds, fromMs: from * 1000, buckets };
    // The ranking includes removed keys, so names are looked up until 50 keys have one.
    const rankedKeys = await this.sums.findBusiest(
      'key',
      ['requests'],
      toUnits(rankingRollup, from, from + buckets * bucketSeconds),
    );
    const names = new Map<string, string>();
    for (const chunk of chunks(rankedKeys)) {
      if (names.size >= MAX_SERIES) break;
      const ids = chunk.map(({ entityId }) => entityId);
      for (const [id, name] of await this.keys.findNames(ids)) names.set(id, name);
    }
    const busiestKeys = rankedKeys.filter(({ entityId }) => names.has(entityId)).slice(0, MAX_SERIES);
    const entityIds = new Map(busiestKeys.map(({ id, entityId }) => [id, entityId]));
    const starts = listBucketStarts(shownRange);
    const series = [];
    for await (const [subjectId, sums] of this.sums.sumByBucket([...entityIds.keys()], historyColumns, shownRange)) {
      const keyId = entityIds.get(subjectId) ?? '';
      const points = starts.map((at, index) => {
        const [requests = 0, errors4xx = 0, errors5xx = 0, durationMs = 0] = sums.get(index) ?? [];
        return { at, requests, errors: errors4xx + errors5xx, averageMs: requests > 0 ? durationMs / requests : null };
      });
      series.push({ keyId, keyName: names.get(keyId) ?? '', points });
    }
    return { range, bucketSeconds, from: starts[0] ?? '', series };
  }
}
