const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Ten checks in the first 20 minutes. */
const FAST_CHECKS = 10;
const FAST_INTERVAL_MS = 2 * MINUTE_MS;
const MAX_INTERVAL_MS = 4 * HOUR_MS;
/** How long a host that is not in order is checked. */
const GIVE_UP_MS = 7 * DAY_MS;
/** Of a host in order: its DNS may change, its certificate expires. */
const HEALTHY_INTERVAL_MS = DAY_MS;

export interface Monitoring {
  /** DNS and certificate are in order. */
  healthy: boolean;
  /** Done since `watchedSinceMs`. */
  checks: number;
  watchedSinceMs: number;
  nowMs: number;
}

/** Time of the next check in ms since the epoch (contract §7, "Hosts"); null when monitoring gives up. */
export function nextCheckMs({ healthy, checks, watchedSinceMs, nowMs }: Monitoring): number | null {
  if (healthy) return nowMs + HEALTHY_INTERVAL_MS;
  const doublings = Math.max(0, checks - FAST_CHECKS + 1);
  const next = nowMs + Math.min(FAST_INTERVAL_MS * 2 ** Math.min(doublings, 16), MAX_INTERVAL_MS);
  return next - watchedSinceMs > GIVE_UP_MS ? null : next;
}
