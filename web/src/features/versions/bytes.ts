const UNITS = ['B', 'kB', 'MB', 'GB'] as const;
const STEP = 1000;

const createFormat = (digits: number) => new Intl.NumberFormat('pt-BR', { maximumFractionDigits: digits });
const wholeFormat = createFormat(0);
const tenthsFormat = createFormat(1);

/** Formats a size: `1,2 MB`. */
export function formatBytes(bytes: number): string {
  let unit = 0;
  let size = bytes;
  while (size >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  return `${(size < 10 && unit > 0 ? tenthsFormat : wholeFormat).format(size)} ${UNITS[unit]}`;
}
