/** Comma-separated text -> trimmed entries without empty ones; `[]` means any address (product §5). */
export const parseAllowedIps = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export const formatAllowedIps = (addresses: readonly string[]): string => addresses.join(', ');
