/** Actors of the audit trail that are not accounts. */
const RESERVED = new Set(['core', 'edge']);
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u; // U+2800 is a blank Braille pattern.
const SCRIPTS =
  'Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Devanagari Bengali Thai Hangul Hiragana Katakana Han'
    .split(' ')
    .map((script) => new RegExp(`^\\p{Script_Extensions=${script}}$`, 'u'));

/** The form in which usernames are stored and compared. */
export const toStoredUsername = (username: string): string => username.trim().toLowerCase();

/** Normalizes a username with NFKC (UAX #15), so that equivalent spellings of a name are equal. */
export const normalizeUsername = (username: string): string => toStoredUsername(username.normalize('NFKC'));

export const isReservedUsername = (username: string): boolean => RESERVED.has(normalizeUsername(username));

/** Whether a name has no hidden characters and all its letters are of one script (UTS #39 §5.1). */
export function isUnambiguousUsername(username: string): boolean {
  const normalizedName = normalizeUsername(username);
  if (normalizedName === '' || HIDDEN.test(username) || HIDDEN.test(normalizedName)) return false;
  const letters = normalizedName.match(/\p{L}/gu) ?? [];
  return letters.length === 0 || SCRIPTS.some((script) => letters.every((letter) => script.test(letter)));
}
