/**
 * Characters that show nothing or change the direction of what follows: controls, line and paragraph separators, format
 * characters of writing direction, and blanks of no width. The joiner and the variation selector of emoji are allowed.
 */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u2800\u3164\ufeff\uffa0]/u;

export const hasInvisible = (text: string): boolean => INVISIBLE.test(text);
