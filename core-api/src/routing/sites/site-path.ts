import { removeQuery } from '../routes/request-path';

/** The path and the query of a request to a site. */
export interface SitePath {
  /** Decoded segments in Unicode form C, without empty segments. */
  readonly segments: readonly string[];
  readonly endsWithSlash: boolean;
  /** The query with its question mark. */
  readonly query: string;
}

/**
 * Decodes a path once.
 * @returns undefined for a path that no file can have, because of an invalid escape, an encoded slash, `..`, NUL, a
 * backslash or a dotfile other than `.well-known`
 */
export function decodeSegments(path: string): string[] | undefined {
  let decoded = path;
  if (path.includes('%')) {
    if (/%2f|%5c/i.test(path)) return undefined;
    try {
      decoded = decodeURIComponent(path);
    } catch (error) {
      if (error instanceof URIError) return undefined;
      throw error;
    }
  }
  if (/[\0\\]/.test(decoded)) return undefined;
  const segments = decoded.split('/').filter((segment) => segment !== '');
  const isHidden = segments.some(
    (segment, index) => segment.startsWith('.') && !(index === 0 && segment === '.well-known'),
  );
  return isHidden ? undefined : segments;
}

/** Returns undefined for a path that no file can have. @param target path and query of a request */
export function parseSitePath(target: string): SitePath | undefined {
  const pathname = removeQuery(target);
  const segments = decodeSegments(pathname);
  return (
    segments && {
      segments: segments.map((segment) => segment.normalize('NFC')),
      endsWithSlash: pathname.endsWith('/'),
      query: target.slice(pathname.length),
    }
  );
}

/** Returns the segments as an encoded path for a `Location` field. */
export const encodePath = (segments: readonly string[]): string => `/${segments.map(encodeURIComponent).join('/')}`;
