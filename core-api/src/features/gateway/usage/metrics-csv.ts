import { type MetricsCounts, metricsCounts } from './metrics.schema';

const columns = metricsCounts.keyof().options;

/** Escapes a cell (RFC 4180). A name that a spreadsheet would run as a formula is prefixed with `'`. */
function formatCell(name: string): string {
  const text = /^[=+\-@\t\r]/.test(name) ? `'${name}` : name;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const roundCell = (value: number | null): string | number => (value === null ? '' : Math.round(value * 100) / 100);

export const csvHeader = `at,id,name,${columns.join(',')}\r\n`;

export const formatCsvLines = (
  id: string,
  name: string,
  points: readonly { at: string; counts: MetricsCounts }[],
): string => {
  const subjectCells = `,${id},${formatCell(name)},`;
  return points
    .map(({ at, counts }) => `${at}${subjectCells}${columns.map((column) => roundCell(counts[column])).join(',')}\r\n`)
    .join('');
};
