/**
 * Converts a text to lower case without diacritics, so that `agua` finds `Água`. Neither database folds all letters.
 */
export const foldAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
