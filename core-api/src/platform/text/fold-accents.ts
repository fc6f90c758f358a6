/** Converts a text to lower case without diacritics, so that `agua` finds `Água` in both databases. */
export const foldAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
