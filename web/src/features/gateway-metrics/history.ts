import type { UsageRange } from '../../generated/graph';

export interface HistoryPoint {
  at: string;
  requests: number;
  errors: number;
  averageMs?: number | null;
}

interface HistorySeries {
  keyId: string;
  points: readonly HistoryPoint[];
}

/** The points of one key, or with `keyId` empty the sum of all keys bucket by bucket (averages weighted by requests). */
export function pointsOf(series: readonly HistorySeries[], keyId: string): HistoryPoint[] {
  if (keyId !== '') return [...(series.find((one) => one.keyId === keyId)?.points ?? [])];
  const buckets = new Map<string, { requests: number; errors: number; totalMs: number }>();
  for (const { at, requests, errors, averageMs } of series.flatMap(({ points }) => points)) {
    const bucket = buckets.get(at) ?? { requests: 0, errors: 0, totalMs: 0 };
    buckets.set(at, {
      requests: bucket.requests + requests,
      errors: bucket.errors + errors,
      totalMs: bucket.totalMs + (averageMs ?? 0) * requests,
    });
  }
  return [...buckets]
    .map(([at, { requests, errors, totalMs }]) => ({
      at,
      requests,
      errors,
      averageMs: requests > 0 ? totalMs / requests : null,
    }))
    .sort((a, b) => a.at.localeCompare(b.at));
}

/** The smallest of 1, 2, 5 × 10ⁿ that holds `value`: the top of an axis; 1 when there is nothing to show. */
export function axisTop(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return step * power;
}

const day = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit' });
const hour = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit' });
const dayAndHour = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** A bucket's start in local time, as short as the range allows. */
export const bucketLabel = (at: string, range: UsageRange): string =>
  (range === 'day' ? hour : day).format(new Date(at));

export const bucketTitle = (at: string): string => dayAndHour.format(new Date(at));
