import { canonicalPath } from '../rules/request-path';

export interface RequestPath {
  /** Segments as they were received: what parameters forward. */
  raw: readonly string[];
  /** Segments for comparing with literals: canonical, in lower case. */
  folded: readonly string[];
  /** Ended in a slash, which routes do not look at but a wildcard passes on. */
  trailingSlash: boolean;
}

/** By hand, which takes half as long as `split`. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let start = 1;
  for (let slash = path.indexOf('/', start); slash >= 0; slash = path.indexOf('/', start)) {
    segments.push(path.slice(start, slash));
    start = slash + 1;
  }
  if (start < path.length) segments.push(path.slice(start));
  return segments;
}

/** A request's path for matching; nothing for one that two servers could read differently (contract §5.1). */
export function readPath(path: string): RequestPath | undefined {
  const canonical = canonicalPath(path);
  if (canonical === null) return undefined;
  const raw = segmentsOf(path);
  const folded = canonical.toLowerCase();
  return {
    raw,
    folded: folded === path ? raw : segmentsOf(folded),
    trailingSlash: path.length > 1 && path.endsWith('/'),
  };
}
