const formatOf = (unit: 'millisecond' | 'second') =>
  new Intl.NumberFormat('pt-BR', { style: 'unit', unit, maximumFractionDigits: 1 });
const [milliseconds, seconds] = [formatOf('millisecond'), formatOf('second')];

/** Formats a duration: `12 ms`, `1,5 s`. */
export const durationText = (ms: number): string => (ms < 1000 ? milliseconds.format(ms) : seconds.format(ms / 1000));
