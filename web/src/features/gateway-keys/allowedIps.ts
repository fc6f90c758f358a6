import { entriesOf } from '../../lib/format/entriesOf';

/** Splits a comma-separated text into trimmed entries without empty ones. `[]` means any address (product §5). */
export const parseAllowedIps = (text: string): string[] => entriesOf(text, ',');

export const formatAllowedIps = (addresses: readonly string[]): string => addresses.join(', ');
