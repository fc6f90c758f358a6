const createUnitFormat = (unit: 'millisecond' | 'second') =>
  new Intl.NumberFormat('pt-BR', { style: 'unit', unit, maximumFractionDigits: 1 });
const msFormat = createUnitFormat('millisecond');
const secondFormat = createUnitFormat('second');

/** Formats a duration: `12 ms`, `1,5 s`. */
export const formatDuration = (ms: number): string =>
  ms < 1000 ? msFormat.format(ms) : secondFormat.format(ms / 1000);
