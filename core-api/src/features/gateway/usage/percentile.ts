/**
 * Estimates a percentile in ms from latency buckets (`platform/validation/latency.ts`). Responses of one bucket count
 * as evenly spread, and slower ones than the last bound as that bound.
 * @param buckets responses per bucket
 * @param share 0.95 for the 95th percentile
 * @returns null without responses
 */
export function percentile(buckets: readonly number[], share: number): number | null {
  let rank = 0;
  for (const count of buckets) rank += count;
  if (rank === 0) return null;
  rank *= share;
  const last = buckets.length - 1;
  for (let index = 0; index < last; index += 1) {
    const count = buckets[index] ?? 0;
    if (rank <= count) {
      const lower = index === 0 ? 0 : 2 ** (index - 1);
      return lower + (2 ** index - lower) * (rank / count);
    }
    rank -= count;
  }
  return 2 ** (last - 1);
}
