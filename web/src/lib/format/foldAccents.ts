/** Returns a text in lower case and without accents, as searches compare texts. */
export const foldAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
