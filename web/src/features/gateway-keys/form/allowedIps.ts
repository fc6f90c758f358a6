import { splitEntries } from '../../../lib/format/splitEntries';

/** Splits a comma-separated text into trimmed entries that are not empty. `[]` permits any address (product §5). */
export const parseAllowedIps = (text: string): string[] => splitEntries(text, ',');

export const formatAllowedIps = (addresses: readonly string[]): string => addresses.join(', ');
