import type { MetricsRange } from '../../generated/graph';
import type { CountsFragment } from './generated/gateway-metrics';

/** Outcomes of requests, from the bottom of a bar to its top. */
export const outcomes = ['successes', 'errors4xx', 'errors5xx', 'refused'] as const;
/** Colour tokens of the bars and of their legend. */
export const outcomeColors = {
  successes: 'brand.solid',
  errors4xx: 'orange.fg',
  errors5xx: 'danger.solid',
  refused: 'border.input',
} as const;

/** The sum of allowed and refused requests; `requests` counts allowed requests only. */
export const countRequests = ({ requests, refused }: Pick<CountsFragment, 'requests' | 'refused'>): number =>
  requests + refused;

/**
 * The maximum of an axis for values up to `value`: 2, 4, 10, 20, 50, 100 and so on. Half of the maximum, which the axis
 * also labels, is a whole number too.
 */
export function chooseAxisMaximum(value: number): number {
  const power = 10 ** Math.max(Math.floor(Math.log10(value)), 0);
  const step = (power === 1 ? [2, 4] : [1, 2, 5]).find((factor) => factor * power >= value) ?? 10;
  return step * power;
}

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** Round steps of a time axis. */
const STEPS_S = [
  ...[5, 10, 15, 30].map((minutes) => minutes * MINUTE_S),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_S),
  ...[1, 2, 4, 7].map((days) => days * DAY_S),
];

const toLocalSeconds = (at: string): number => Date.parse(at) / 1000 - new Date(at).getTimezoneOffset() * MINUTE_S;

/** Selects at most `maxLabels` + 1 buckets for a time axis: the first bucket at or after each round local time. */
export function selectLabelledBuckets(times: readonly string[], maxLabels: number): ReadonlySet<string> {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined) return new Set();
  const lengthS = toLocalSeconds(last) - toLocalSeconds(first);
  const stepS = STEPS_S.find((step) => lengthS / step <= maxLabels) ?? DAY_S * 7;
  const toStep = (at: string) => Math.floor(toLocalSeconds(at) / stepS);
  return new Set(
    times.filter((at, index) => toLocalSeconds(at) % stepS === 0 || toStep(at) !== toStep(times[index - 1] ?? at)),
  );
}

const dayFormat = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit' });
const hourFormat = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit' });
const dayAndHourFormat = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** The start of a bucket in local time: its hour in a short range, its day in a long range. */
export const formatBucketLabel = (at: string, range: MetricsRange): string =>
  (range === 'last1h' || range === 'last24h' ? hourFormat : dayFormat).format(new Date(at));

/** Maximum width of a character of the time axis, in pixels. */
const CHARACTER_PX = 8;

/**
 * The position of a label of the time axis. A label starts at its bar. A label that would exceed the chart ends at the
 * edge of the chart.
 */
export const computeLabelPosition = (x: number, label: string, width: number) =>
  x + label.length * CHARACTER_PX > width
    ? ({ x: width, textAnchor: 'end' } as const)
    : ({ x, textAnchor: 'start' } as const);

export const formatBucketTitle = (at: string): string => dayAndHourFormat.format(new Date(at));
