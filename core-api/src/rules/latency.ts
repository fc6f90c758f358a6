/**
 * Counts of answers by duration: bucket `i` holds those of at most `2 ** i` ms that are in none before it, the last one
 * all slower ones.
 */
export const LATENCY_BUCKETS = 16;
const LAST_BOUND_MS = 2 ** (LATENCY_BUCKETS - 2);

/** The bucket of an answer that took so many ms. */
export const latencyBucket = (ms: number): number =>
  ms <= 1 ? 0 : ms > LAST_BOUND_MS ? LATENCY_BUCKETS - 1 : 32 - Math.clz32(Math.ceil(ms) - 1);
