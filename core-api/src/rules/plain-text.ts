/** Lower case without diacritics, so that `agua` finds `Água` on both databases: neither folds all letters by itself. */
export const plainText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
