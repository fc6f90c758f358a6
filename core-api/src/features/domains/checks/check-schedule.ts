import { MINUTE_MS } from '../../../platform/time/relative-time';

/** Ten checks run in the first 20 minutes. */
const FAST_CHECKS = 10;
const FAST_INTERVAL_MS = 2 * MINUTE_MS;
/** Longest interval. The checks never stop, because DNS may change and certificates expire. */
const MAX_INTERVAL_MS = 60 * MINUTE_MS;

/**
 * Time of the next check, in ms since the epoch (contract §7): hourly, and at first more often for an unhealthy host.
 * @param host.isHealthy true if DNS and certificate are healthy
 * @param host.checks number of checks since the host was added or last became unhealthy
 */
export function computeNextCheckMs(host: { isHealthy: boolean; checks: number; nowMs: number }): number {
  const { isHealthy, checks, nowMs } = host;
  if (isHealthy) return nowMs + MAX_INTERVAL_MS;
  const doublings = Math.max(0, checks - FAST_CHECKS + 1);
  return nowMs + Math.min(FAST_INTERVAL_MS * 2 ** doublings, MAX_INTERVAL_MS);
}
