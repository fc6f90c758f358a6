import type { RefusalReason } from '../../../routing/refusal-reason';
import type { DurationHistogram, Sample } from './prometheus-text';

/** Requests that the edge refused by its own rules, such as requests to a paused site. */
interface RefusedCount {
  reason: RefusalReason;
  /** First digit of the status. */
  digit: number;
  count: number;
}

/** Requests by status class, and their durations. */
export interface RequestCounts extends DurationHistogram {
  /** Counts by the first digit of the status, without `refused`. */
  statuses: number[];
  refused: RefusedCount[];
}

export const createHistogram = (bounds: readonly number[]): DurationHistogram => ({
  seconds: 0,
  buckets: new Array<number>(bounds.length + 1).fill(0),
});

export const createCounts = (bounds: readonly number[]): RequestCounts => ({
  statuses: [0, 0, 0, 0, 0, 0],
  refused: [],
  ...createHistogram(bounds),
});

/** Adds one duration. @param bounds upper bounds of the buckets in seconds */
export function addDuration(histogram: DurationHistogram, bounds: readonly number[], seconds: number): void {
  let bucket = 0;
  while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
  histogram.seconds += seconds;
  histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1;
}

/** Adds refused requests to the entry with the same reason and status class. */
export function addRefused(refused: RefusedCount[], { reason, digit, count }: RefusedCount): void {
  const existing = refused.find((entry) => entry.reason === reason && entry.digit === digit);
  if (existing) existing.count += count;
  else refused.push({ reason, digit, count });
}

export function mergeHistogram(sum: DurationHistogram, { seconds, buckets }: DurationHistogram): void {
  sum.seconds += seconds;
  sum.buckets = buckets.map((value, index) => value + (sum.buckets[index] ?? 0));
}

export function mergeCounts(sum: RequestCounts, added: RequestCounts): void {
  mergeHistogram(sum, added);
  sum.statuses = added.statuses.map((value, digit) => value + (sum.statuses[digit] ?? 0));
  for (const entry of added.refused) addRefused(sum.refused, entry);
}

/** Converts counts into samples with the labels `status` and, for refused requests, `reason`. */
export const toSamples = (labels: Record<string, string>, { statuses, refused }: RequestCounts): Sample[] => [
  ...statuses.flatMap((value, digit) => (value === 0 ? [] : [{ labels: { ...labels, status: `${digit}xx` }, value }])),
  ...refused.map(({ reason, digit, count }) => ({ labels: { ...labels, status: `${digit}xx`, reason }, value: count })),
];
