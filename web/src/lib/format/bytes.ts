const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEP = 1000;
/** Two digits, or all digits before the comma: `1,2 MB`, `12 MB`, `123 MB`. */
const COMPACT = { maximumFractionDigits: 0, maximumSignificantDigits: 2, roundingPriority: 'morePrecision' } as const;

/** Formats a size: `1,2 MB`. */
export function formatBytes(bytes: number, rounding: Intl.NumberFormatOptions = COMPACT): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / Math.log10(STEP)));
  const unit = { style: 'unit', unit: UNITS[power], unitDisplay: 'narrow' } as const;
  return new Intl.NumberFormat('pt-BR', { ...unit, ...rounding }).format(bytes / STEP ** power);
}
