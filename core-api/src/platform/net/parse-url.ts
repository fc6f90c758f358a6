/**
 * Parses a URL, or returns undefined if the text is no URL. After some thousand calls, `URL.canParse` of Node 20 and 22
 * returns false for letters outside of ASCII.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
