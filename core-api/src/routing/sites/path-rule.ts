/** The path of a rule in `_headers` or `_redirects`: literal, or with `:name` segments and one `*`. */
export interface PathRule {
  readonly isDynamic: boolean;
  /** The values of `:name` and of `*` (as `splat`) in a decoded path; undefined if the path does not match. */
  match(path: string): Record<string, string> | undefined;
}

const NAME = /^:[A-Za-z][A-Za-z0-9_]*$/;
const withoutSlash = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * Compiles the path of a rule. A slash at the end makes no difference, and `/a/*` matches `/a` too. With at most one `*`,
 * matching takes linear time.
 * @returns undefined for a path that does not start with a slash, has two `*` or names a value twice
 */
export function compilePathRule(text: string): PathRule | undefined {
  if (!text.startsWith('/')) return undefined;
  const path = withoutSlash(text.normalize('NFC'));
  const segments = path.slice(1).split('/');
  const names = segments.filter((segment) => NAME.test(segment));
  if (path.split('*').length > 2 || new Set(names).size < names.length || names.includes(':splat')) return undefined;
  if (names.length === 0 && !path.includes('*')) {
    return { isDynamic: false, match: (requested) => (withoutSlash(requested) === path ? {} : undefined) };
  }
  const open = path.endsWith('/*');
  const pattern = (open ? segments.slice(0, -1) : segments)
    .map((segment) => {
      if (NAME.test(segment)) return `/(?<${segment.slice(1)}>[^/]+)`;
      return `/${segment.split('*').map(escaped).join('(?<splat>.*)')}`;
    })
    .join('');
  const matcher = new RegExp(`^${pattern}${open ? '(?:/(?<splat>.*))?' : ''}$`, 's');
  return {
    isDynamic: true,
    match(requested) {
      const found = matcher.exec(open ? requested : withoutSlash(requested));
      if (!found) return undefined;
      return Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value = '']) => [name, value]));
    },
  };
}
