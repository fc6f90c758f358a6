import { foldAccents } from '../text/fold-accents';

/** The text that a list's search matches: parts of a row, one per line, without case and diacritics. */
export const toSearchText = (parts: readonly (string | null)[]): string =>
  foldAccents(parts.filter((part) => part !== null && part !== '').join('\n'));

/** Pattern for `LIKE … ESCAPE '\'` that finds a text anywhere in a search text and takes its wildcards literally. */
export const toLikePattern = (text: string): string => `%${foldAccents(text).replace(/[\\%_]/g, '\\$&')}%`;
