import { LATENCY_BUCKET_COUNT } from '../../../platform/usage/latency';
import type { MetricsCounts } from './metrics.schema';

/**
 * Estimates a percentile in ms from latency buckets (`platform/usage/latency.ts`). Responses of one bucket count as
 * evenly spread. Responses beyond the last bound count as that bound.
 * @param buckets responses per bucket
 * @param fraction 0.95 for the 95th percentile
 * @returns null without responses
 */
function estimatePercentile(buckets: readonly number[], fraction: number): number | null {
  let total = 0;
  for (const count of buckets) total += count;
  if (total === 0) return null;
  let rank = total * fraction;
  const lastBucket = buckets.length - 1;
  for (let index = 0; index < lastBucket; index += 1) {
    const count = buckets[index] ?? 0;
    if (rank <= count) {
      const lowerBound = index === 0 ? 0 : 2 ** (index - 1);
      return lowerBound + (2 ** index - lowerBound) * (rank / count);
    }
    rank -= count;
  }
  return 2 ** (lastBucket - 1);
}

export const latencyColumns = Array.from({ length: LATENCY_BUCKET_COUNT }, (_, bucket) => `b${bucket}`);
/** Columns of a rollup, in the order that `toCounts` expects. */
export const countColumns = ['requests', 'errors4xx', 'errors5xx', 'refused', 'durationMs', ...latencyColumns];

/** Adds several sums of `countColumns`, column by column. */
export const addSums = (sums: readonly (readonly number[])[]): number[] =>
  countColumns.map((_, column) => sums.reduce((total, sum) => total + (sum[column] ?? 0), 0));

/** Converts sums to the counts that REST returns; zeros without sums. */
export function toCounts(sums: readonly number[] = []): MetricsCounts {
  const [requests = 0, errors4xx = 0, errors5xx = 0, refused = 0, durationMs = 0, ...latencies] = sums;
  return {
    requests,
    successes: Math.max(0, requests - errors4xx - errors5xx),
    errors4xx,
    errors5xx,
    refused,
    averageMs: requests > 0 ? durationMs / requests : null,
    p50Ms: estimatePercentile(latencies, 0.5),
    p95Ms: estimatePercentile(latencies, 0.95),
    p99Ms: estimatePercentile(latencies, 0.99),
  };
}
