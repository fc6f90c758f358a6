/** The path of a rule (`_headers`, `_redirects` or a redirect of a host), with `:name` segments and at most one `*`. */
export interface PathRule {
  readonly isDynamic: boolean;
  /** Returns the values of `:name` and `*` (as `splat`) in a decoded path, or undefined if the path does not match. */
  match(path: string): Record<string, string> | undefined;
}

/** Longer paths are refused, because a rule is compared with every request of its site. */
const MAX_LENGTH = 1024;
const NAME = /^:[A-Za-z][A-Za-z0-9_]*$/;
const SLASH = 0x2f;
const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Removes slashes at the end. A regular expression would search the whole path for them. */
function removeEndSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === SLASH) end -= 1;
  return path.slice(0, end);
}

const toPattern = (segments: readonly string[]): string =>
  segments
    .map((segment) => (NAME.test(segment) ? `/(?<${segment.slice(1)}>[^/]+)` : `/${escapeRegExp(segment)}`))
    .join('');

type Match = PathRule['match'];

function execNamedGroups(matcher: RegExp, text: string): ReturnType<Match> {
  const match = matcher.exec(text);
  return match
    ? Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value = '']) => [name, value]))
    : undefined;
}

/** Matches `/a/*`, which is a folder and all paths below it. */
function compileFolderMatch(folder: readonly string[]): Match {
  const matcher = new RegExp(`^${toPattern(folder)}(?:/(?<splat>.*))?$`, 's');
  return (requested) => execNamedGroups(matcher, requested);
}

/**
 * Matches a `*` within the path. The segments after the `*` match the end of the requested path. Both sides are matched
 * separately, because one expression for both would try every position of the `*` in quadratic time.
 */
function compileSplatMatch(segments: readonly string[], index: number): Match {
  const [before = '', after = ''] = (segments[index] ?? '').split('*');
  const beforeSplat = new RegExp(`^${toPattern(segments.slice(0, index))}/${escapeRegExp(before)}(?<splat>.*)$`, 's');
  const afterSplat = new RegExp(`^${toPattern(segments.slice(index + 1))}$`);
  return (requested) => {
    const path = removeEndSlashes(requested);
    let tailStart = path.length;
    for (let position = index + 1; position < segments.length && tailStart >= 0; position += 1)
      tailStart = path.lastIndexOf('/', tailStart - 1);
    if (tailStart < after.length || !path.startsWith(after, tailStart - after.length)) return undefined;
    const valuesBefore = execNamedGroups(beforeSplat, path.slice(0, tailStart - after.length));
    const valuesAfter = valuesBefore && execNamedGroups(afterSplat, path.slice(tailStart));
    return valuesAfter && { ...valuesBefore, ...valuesAfter };
  };
}

function compileMatch(path: string): Match {
  const segments = path.slice(1).split('/');
  if (path.endsWith('/*')) return compileFolderMatch(segments.slice(0, -1));
  const index = segments.findIndex((segment) => segment.includes('*'));
  if (index >= 0) return compileSplatMatch(segments, index);
  const matcher = new RegExp(`^${toPattern(segments)}$`);
  return (requested) => execNamedGroups(matcher, removeEndSlashes(requested));
}

/**
 * Compiles the path of a rule. A slash at the end makes no difference, and `/a/*` matches `/a` too. Matching takes
 * linear time.
 * @returns undefined for a path that does not start with a slash, is longer than 1,024 characters, has two `*` or
 * two equal names, or has the name `:splat`, which is reserved for `*`
 */
export function compilePathRule(text: string): PathRule | undefined {
  if (!text.startsWith('/') || text.length > MAX_LENGTH) return undefined;
  const path = removeEndSlashes(text.normalize('NFC'));
  const names = path.split('/').filter((segment) => NAME.test(segment));
  if (path.split('*').length > 2 || new Set(names).size < names.length || names.includes(':splat')) return undefined;
  if (names.length === 0 && !path.includes('*'))
    return { isDynamic: false, match: (requested) => (removeEndSlashes(requested) === path ? {} : undefined) };
  return { isDynamic: true, match: compileMatch(path) };
}
