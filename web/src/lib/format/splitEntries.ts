/** Splits a text into its parts, without the spaces around them and without empty parts. */
export const splitEntries = (text: string, separator: string | RegExp): string[] =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
