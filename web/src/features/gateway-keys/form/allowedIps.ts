import { splitEntries } from '../../../lib/format/splitEntries';

/** Splits a comma-separated text into trimmed entries, and drops empty entries. `[]` means any address (product §5). */
export const parseAllowedIps = (text: string): string[] => splitEntries(text, ',');

export const formatAllowedIps = (addresses: readonly string[]): string => addresses.join(', ');
