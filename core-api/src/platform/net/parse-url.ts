/**
 * `URL.canParse` is not used: after some thousand calls Node 20 and 22 answer false for letters outside of ASCII.
 * @returns undefined if the text is no URL
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
