/** Prometheus text format 0.0.4, written by hand: the figures come summed up from other processes. */

export type Labels = Record<string, string>;

const ESCAPED: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };
const escaped = (text: string): string => text.replace(/[\\"\n]/g, (character) => ESCAPED[character] ?? '');

const labelled = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

export interface Sample {
  labels?: Labels;
  value: number;
}

/** A family of one value for each set of labels; nothing while there is none. */
export function family(type: 'counter' | 'gauge', name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelled(labels)} ${value}`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
}

export interface Distribution {
  labels?: Labels;
  seconds: number;
  /** One more than bounds. */
  buckets: readonly number[];
}

/** @param bounds upper, in seconds */
export function histogram(
  name: string,
  help: string,
  bounds: readonly number[],
  distributions: readonly Distribution[],
): string {
  if (distributions.length === 0) return '';
  const lines = distributions.flatMap(({ labels = {}, seconds, buckets }) => {
    let sum = 0;
    const counted = buckets.map((value, index) => {
      sum += value;
      return `${name}_bucket${labelled({ ...labels, le: String(bounds[index] ?? '+Inf') })} ${sum}`;
    });
    return [...counted, `${name}_sum${labelled(labels)} ${seconds}`, `${name}_count${labelled(labels)} ${sum}`];
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${lines.join('\n')}\n`;
}
