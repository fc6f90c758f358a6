import type { DurationHistogram, RefusedCount } from './worker-metrics';

/** Adds the second distribution to the first one. */
export function mergeDurations(into: DurationHistogram, { seconds, buckets }: DurationHistogram): void {
  into.seconds += seconds;
  into.buckets = buckets.map((value, index) => value + (into.buckets[index] ?? 0));
}

/** Adds the second list to the first one, by reason and status class. */
export function mergeRefused(into: RefusedCount[], more: readonly RefusedCount[]): void {
  for (const one of more) {
    const known = into.find(({ reason, statusClass }) => reason === one.reason && statusClass === one.statusClass);
    if (known) known.count += one.count;
    else into.push({ ...one });
  }
}
