// This file writes Prometheus text format 0.0.4, because prom-client cannot format sums of other processes.

export type Labels = Record<string, string>;

const ESCAPED: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };
const escapeLabel = (text: string): string => text.replace(/[\\"\n]/g, (character) => ESCAPED[character] ?? '');

const formatLabels = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

export interface Sample {
  labels: Labels;
  value: number;
}

/** Formats a metric with one value per set of labels; '' without values. */
export function toFamily(type: 'counter' | 'gauge', name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(({ labels, value }) => `${name}${formatLabels(labels)} ${value}`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
}

/** Sum of durations in seconds, and counts by bucket. The last bucket has no upper bound. */
export interface DurationHistogram {
  seconds: number;
  buckets: number[];
}

export interface Distribution extends DurationHistogram {
  labels: Labels;
}

/** Formats a histogram; '' without distributions. @param bounds upper bounds in seconds */
export function toHistogram(
  name: string,
  help: string,
  bounds: readonly number[],
  distributions: readonly Distribution[],
): string {
  if (distributions.length === 0) return '';
  const allLines = distributions.flatMap(({ labels, seconds, buckets }) => {
    let sum = 0;
    const lines = buckets.map((value, index) => {
      sum += value;
      return `${name}_bucket${formatLabels({ ...labels, le: String(bounds[index] ?? '+Inf') })} ${sum}`;
    });
    return [...lines, `${name}_sum${formatLabels(labels)} ${seconds}`, `${name}_count${formatLabels(labels)} ${sum}`];
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${allLines.join('\n')}\n`;
}
