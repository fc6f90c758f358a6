import { entriesOf } from '../../lib/entriesOf';

/** Comma-separated text -> trimmed entries without empty ones; `[]` means any address (product §5). */
export const parseAllowedIps = (text: string): string[] => entriesOf(text, ',');

export const formatAllowedIps = (addresses: readonly string[]): string => addresses.join(', ');
