/**
 * Lower case without diacritics, so that `agua` finds `Água` on both databases. Neither database folds all letters by
 * itself.
 */
export const foldAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
