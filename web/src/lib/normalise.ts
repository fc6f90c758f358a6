/** Text as the search compares it: without case and accents. */
export const normalise = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
