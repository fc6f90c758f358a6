/** Browsers give up after this number of redirects. */
const MAX_REDIRECTS = 20;
const VALUE = 'exemplo';

/**
 * The redirects that never reach a page, by their paths. A rule with `*` or `:name` is tried with one value.
 * @param locationOf the `Location` that the same host answers to a path; undefined for any other answer, and for a
 *   location at another host
 */
export function findEndlessRedirects(
  rules: readonly { readonly from: string }[],
  locationOf: (path: string) => string | undefined,
): string[] {
  const known = new Map<string, string | undefined>();
  const next = (path: string): string | undefined => {
    if (!known.has(path)) known.set(path, locationOf(path)?.replace(/#.*$/s, ''));
    return known.get(path);
  };
  const isEndless = (from: string): boolean => {
    const tried = from.replaceAll(/\*|(?<=\/):[A-Za-z]\w*/g, VALUE);
    let path: string | undefined = new URL(`http://site.invalid${tried}`).pathname;
    for (let left = MAX_REDIRECTS; left > 0 && path !== undefined; left -= 1) path = next(path);
    return path !== undefined;
  };
  return rules.map(({ from }) => from).filter(isEndless);
}
