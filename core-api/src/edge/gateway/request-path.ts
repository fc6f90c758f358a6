import { canonicalPath } from '../../rules/request-path';

export interface RequestPath {
  /** Segments as they were received: what parameters forward. */
  raw: string[];
  /** Segments for comparing with literals: canonical, in lower case. */
  folded: string[];
  /** Ended in a slash, which routes do not look at but a wildcard passes on. */
  trailingSlash: boolean;
}

const segmentsOf = (path: string): string[] => {
  const segments = path.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  return segments;
};

/** A request's path for matching; nothing for one that two servers could read differently (contract §5.1). */
export function readPath(path: string): RequestPath | undefined {
  const canonical = canonicalPath(path);
  if (canonical === null) return undefined;
  return {
    raw: segmentsOf(path),
    folded: segmentsOf(canonical.toLowerCase()),
    trailingSlash: path.length > 1 && path.endsWith('/'),
  };
}
