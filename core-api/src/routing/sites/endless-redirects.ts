/** Browsers stop after this number of redirects. */
const MAX_REDIRECTS = 20;
const SAMPLE_VALUE = 'exemplo';

/**
 * Returns the paths of redirects that never reach a page. A rule with `*` or `:name` is tried with one value.
 * @param findLocation returns the `Location` of the response to a path; undefined for any other response and for a
 * location at another host
 */
export function findEndlessRedirects(
  rules: readonly { readonly from: string }[],
  findLocation: (path: string) => string | undefined,
): string[] {
  const locations = new Map<string, string | undefined>();
  const getLocation = (path: string): string | undefined => {
    if (!locations.has(path)) locations.set(path, findLocation(path)?.replace(/#.*$/s, ''));
    return locations.get(path);
  };
  const isEndless = (from: string): boolean => {
    const samplePath = from.replaceAll(/\*|(?<=\/):[A-Za-z]\w*/g, SAMPLE_VALUE);
    let path: string | undefined = new URL(`http://site.invalid${samplePath}`).pathname;
    for (let followed = 0; followed < MAX_REDIRECTS && path !== undefined; followed += 1) path = getLocation(path);
    return path !== undefined;
  };
  return rules.map(({ from }) => from).filter(isEndless);
}
