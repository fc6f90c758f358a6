/**
 * Matches control characters, line and paragraph separators, characters that change the writing direction, and
 * characters of no width. The joiner and the variation selector of emoji are allowed.
 */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u2800\u3164\ufeff\uffa0]/u;

export const hasInvisibleCharacter = (text: string): boolean => INVISIBLE.test(text);
