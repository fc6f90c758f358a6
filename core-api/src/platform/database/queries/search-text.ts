import { foldAccents } from '../../text/fold-accents';

/** Returns the text that a list's search matches, with one part of a row per line, without case and diacritics. */
export const toSearchText = (parts: readonly (string | null)[]): string =>
  foldAccents(parts.filter((part) => part !== null && part !== '').join('\n'));

/** Returns the pattern for `LIKE … ESCAPE '\'` that finds a text literally, anywhere in a search text. */
export const toLikePattern = (text: string): string => `%${foldAccents(text).replace(/[\\%_]/g, '\\$&')}%`;
