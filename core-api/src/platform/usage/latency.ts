/**
 * Number of latency buckets. Bucket 0 counts responses of at most 1 ms, bucket `i` of more than `2 ** (i - 1)` and at
 * most `2 ** i` ms. The last bucket counts all slower responses.
 */
export const LATENCY_BUCKET_COUNT = 16;
const LAST_BOUND_MS = 2 ** (LATENCY_BUCKET_COUNT - 2);

/** Returns the bucket of a response that took `ms` milliseconds. */
export function findLatencyBucket(ms: number): number {
  if (ms <= 1) return 0;
  if (ms > LAST_BOUND_MS) return LATENCY_BUCKET_COUNT - 1;
  return 32 - Math.clz32(Math.ceil(ms) - 1);
}
