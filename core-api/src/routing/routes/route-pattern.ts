import { canonicalizePath } from './path-normalization';

const LITERAL = /^(?!:)(?:[A-Za-z0-9._~!$&'()+,=:@-]|%[0-9A-F]{2})+$/;
const PARAMETER = /^:[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_LENGTH = 1024;

type Segment = { kind: 'literal'; text: string } | { kind: 'parameter'; name: string };

export interface RoutePattern {
  segments: Segment[];
  /** True if the pattern ends with `/*`. */
  hasWildcard: boolean;
  /** True if a slash ends the pattern, except for `/` and after `*`. Origins ignore the slash; destinations keep it. */
  endsWithSlash: boolean;
}

function parseSegment(part: string): Segment | undefined {
  if (PARAMETER.test(part)) return { kind: 'parameter', name: part.slice(1) };
  return LITERAL.test(part) ? { kind: 'literal', text: part } : undefined;
}

/** Percent-encodes characters beyond ASCII, like a browser. Lone surrogates stay, and `canonicalizePath` refuses them. */
const escapeUnicode = (text: string): string =>
  text.replace(/\P{ASCII}+/gu, (run) => (/\p{Surrogate}/u.test(run) ? run : encodeURIComponent(run)));

/**
 * Parses a pattern such as `/pedidos/:id/*` (contract §5).
 * @returns undefined for a path that no request can have (`canonicalizePath`) or that is too long, a repeated `:name`, a
 * `*` before the end, or characters outside RFC 3986 `pchar`
 */
export function parsePattern(text: string): RoutePattern | undefined {
  const path = canonicalizePath(escapeUnicode(text));
  if (path === null || path.length > MAX_LENGTH) return undefined;
  const parts = path.slice(1).split('/');
  const hasEndSlash = parts.at(-1) === '';
  if (hasEndSlash) parts.pop();
  const hasWildcard = parts.at(-1) === '*';
  if (hasWildcard) parts.pop();
  const segments = parts.map(parseSegment).filter((segment) => segment !== undefined);
  const names = segments.flatMap((segment) => (segment.kind === 'parameter' ? [segment.name] : []));
  if (segments.length < parts.length || new Set(names).size < names.length) return undefined;
  return { segments, hasWildcard, endsWithSlash: hasEndSlash && parts.length > 0 && !hasWildcard };
}

const joinSegments = ({ segments, hasWildcard }: RoutePattern, write: (segment: Segment) => string): string =>
  `/${[...segments.map(write), ...(hasWildcard ? ['*'] : [])].join('/')}`;

/**
 * Returns a key of an origin. Origins that match the same paths have equal keys, because literals are in lower case and
 * parameters have no names.
 */
export const formatOriginKey = (origin: RoutePattern): string =>
  joinSegments(origin, (segment) => (segment.kind === 'literal' ? segment.text.toLowerCase() : ':'));

/** Returns the canonical text of a pattern, as it is stored and displayed. */
export const formatPattern = (pattern: RoutePattern): string =>
  joinSegments(pattern, (segment) => (segment.kind === 'literal' ? segment.text : `:${segment.name}`)) +
  (pattern.endsWithSlash ? '/' : '');

/** Returns whether `origin` supplies every parameter and the wildcard of `destination`. */
export function canFill(destination: RoutePattern, origin: RoutePattern): boolean {
  const supplied = new Set(origin.segments.flatMap((segment) => (segment.kind === 'parameter' ? [segment.name] : [])));
  const isFilled = destination.segments.every((segment) => segment.kind === 'literal' || supplied.has(segment.name));
  return isFilled && (origin.hasWildcard || !destination.hasWildcard);
}

/**
 * Builds a path from the values of the origin's parameters, in their order, and the rest that the wildcard matched. The
 * rest is empty or begins with a slash.
 */
export type DestinationTemplate = (values: readonly string[], rest: string) => string;

/** Compiles a destination that `canFill` accepts. Values are forwarded as received. */
export function compileDestination(destination: RoutePattern, origin: RoutePattern): DestinationTemplate {
  const names = origin.segments.flatMap((segment) => (segment.kind === 'parameter' ? [segment.name] : []));
  const literals = [''];
  const parameterIndexes: number[] = [];
  for (const segment of destination.segments) {
    const openLiteral = `${literals.pop()}/`;
    if (segment.kind === 'literal') literals.push(openLiteral + segment.text);
    else {
      literals.push(openLiteral, '');
      parameterIndexes.push(names.indexOf(segment.name));
    }
  }
  const [firstLiteral = ''] = literals;
  const trailingSlash = destination.endsWithSlash ? '/' : '';
  const fill: DestinationTemplate = (values, rest) => {
    let path = firstLiteral;
    for (let index = 0; index < parameterIndexes.length; index += 1) {
      path += (values[parameterIndexes[index] ?? 0] ?? '') + (literals[index + 1] ?? '');
    }
    return path + (destination.hasWildcard ? rest : trailingSlash) || '/';
  };
  const fixedPath = firstLiteral + trailingSlash || '/';
  return parameterIndexes.length === 0 && !destination.hasWildcard ? () => fixedPath : fill;
}
