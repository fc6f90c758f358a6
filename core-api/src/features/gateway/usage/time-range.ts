import type { MetricsRange } from './metrics.schema';
import { DAY_S, days, HOUR_S, hours, MINUTE_S, minutes, type Rollup, toUnits, type UnitRange } from './rollups';

interface RangeSettings {
  seconds: number;
  bucketSeconds: number;
  bucketRollup: Rollup;
  /** Smallest rollup for the totals of subjects. The range begins at the start of a unit of this rollup. */
  totalRollup: Rollup;
  rankingRollup: Rollup;
}

const settings: Record<MetricsRange, RangeSettings> = {
  '1h': {
    seconds: HOUR_S,
    bucketSeconds: MINUTE_S,
    bucketRollup: minutes,
    totalRollup: minutes,
    rankingRollup: minutes,
  },
  '24h': {
    seconds: DAY_S,
    bucketSeconds: 15 * MINUTE_S,
    bucketRollup: minutes,
    totalRollup: hours,
    rankingRollup: hours,
  },
  '7d': { seconds: 7 * DAY_S, bucketSeconds: 2 * HOUR_S, bucketRollup: hours, totalRollup: hours, rankingRollup: days },
  '30d': {
    seconds: 30 * DAY_S,
    bucketSeconds: 8 * HOUR_S,
    bucketRollup: hours,
    totalRollup: hours,
    rankingRollup: days,
  },
};

/** A range that begins at the start of a bucket; its last bucket is incomplete. */
export interface TimeRange extends RangeSettings {
  fromMs: number;
  buckets: number;
}

export type Buckets = Pick<TimeRange, 'bucketRollup' | 'bucketSeconds' | 'fromMs' | 'buckets'>;

/** Aligns the range's buckets with the clock. @param nowMs milliseconds since the epoch */
export function toTimeRange(rangeName: MetricsRange, nowMs: number): TimeRange {
  const { seconds, bucketSeconds, totalRollup } = settings[rangeName];
  const step = Math.max(bucketSeconds, totalRollup.unitSeconds);
  const lastBucket = Math.floor(nowMs / 1000 / bucketSeconds) * bucketSeconds;
  const from = Math.floor((lastBucket - seconds + bucketSeconds) / step) * step;
  return { ...settings[rangeName], fromMs: from * 1000, buckets: (lastBucket - from) / bucketSeconds + 1 };
}

/** Bounds in seconds since 1970. The upper bound excludes counts in the future, from an edge whose clock was ahead. */
function toBounds({ fromMs, buckets, bucketSeconds }: TimeRange): [from: number, until: number] {
  const from = fromMs / 1000;
  return [from, from + buckets * bucketSeconds];
}

/** The units that rank the subjects; they may begin before the range. */
export const toRankingUnits = (range: TimeRange): UnitRange => toUnits(range.rankingRollup, ...toBounds(range));

/** Splits a range into as few units for totals as possible: hours into whole days and the hours around these days. */
export function splitIntoUnits(range: TimeRange): UnitRange[] {
  const [from, until] = toBounds(range);
  const daysFrom = Math.ceil(from / DAY_S) * DAY_S;
  const daysUntil = Math.floor(until / DAY_S) * DAY_S;
  if (range.totalRollup !== hours || daysFrom >= daysUntil) return [toUnits(range.totalRollup, from, until)];
  const parts = [toUnits(hours, from, daysFrom), toUnits(days, daysFrom, daysUntil), toUnits(hours, daysUntil, until)];
  return parts.filter(({ first, last }) => first <= last);
}

/** The start of each bucket, ISO 8601 UTC. */
export const listBucketStarts = ({ fromMs, bucketSeconds, buckets }: Buckets): string[] =>
  Array.from({ length: buckets }, (_, index) => new Date(fromMs + index * bucketSeconds * 1000).toISOString());
