import { canonicalPath } from './request-path';

const LITERAL = /^(?!:)(?:[A-Za-z0-9._~!$&'()+,=:@-]|%[0-9A-F]{2})+$/;
const PARAMETER = /^:[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_LENGTH = 1024;

type Segment = { kind: 'literal'; text: string } | { kind: 'parameter'; name: string };

export interface RoutePattern {
  segments: Segment[];
  /** Ends in `/*`. */
  wildcard: boolean;
  /** Ends in a slash; it does not matter in an origin, and is forwarded in a destination. */
  slash: boolean;
}

function parseSegment(part: string): Segment | undefined {
  if (PARAMETER.test(part)) return { kind: 'parameter', name: part.slice(1) };
  return LITERAL.test(part) ? { kind: 'literal', text: part } : undefined;
}

/** Escapes what a browser would before it asks for the path; text that is no Unicode stays and is refused later. */
const escapeUnicode = (text: string): string =>
  text.replace(/\P{ASCII}+/gu, (run) => (/\p{Surrogate}/u.test(run) ? run : encodeURIComponent(run)));

/**
 * A pattern such as `/pedidos/:id/*` (contract §5); nothing for text that is no pattern: what no request path can be
 * (`canonicalPath`), `:name` twice, `*` elsewhere than at the end, characters outside RFC 3986 `pchar`.
 */
export function parsePattern(text: string): RoutePattern | undefined {
  const path = canonicalPath(escapeUnicode(text));
  if (path === null || path.length > MAX_LENGTH) return undefined;
  const parts = path.slice(1).split('/');
  const slash = parts.at(-1) === '';
  if (slash) parts.pop();
  const wildcard = parts.at(-1) === '*';
  if (wildcard) parts.pop();
  const segments = parts.map(parseSegment).filter((segment) => segment !== undefined);
  const names = segments.flatMap((segment) => (segment.kind === 'parameter' ? [segment.name] : []));
  if (segments.length < parts.length || new Set(names).size < names.length) return undefined;
  return { segments, wildcard, slash: slash && parts.length > 0 && !wildcard };
}

const join = ({ segments, wildcard }: RoutePattern, write: (segment: Segment) => string): string =>
  `/${[...segments.map(write), ...(wildcard ? ['*'] : [])].join('/')}`;

/** Equal for origins that match the same paths: literals in lower case, parameters without their names. */
export const originKey = (origin: RoutePattern): string =>
  join(origin, (segment) => (segment.kind === 'literal' ? segment.text.toLowerCase() : ':'));

/** The pattern as it is stored and shown. */
export const formatPattern = (pattern: RoutePattern): string =>
  join(pattern, (segment) => (segment.kind === 'literal' ? segment.text : `:${segment.name}`)) +
  (pattern.slash ? '/' : '');

/** Whether every parameter and the wildcard of `destination` are supplied by `origin`. */
export function canFill(destination: RoutePattern, origin: RoutePattern): boolean {
  const supplied = new Set(origin.segments.flatMap((segment) => (segment.kind === 'parameter' ? [segment.name] : [])));
  const filled = destination.segments.every((segment) => segment.kind === 'literal' || supplied.has(segment.name));
  return filled && (origin.wildcard || !destination.wildcard);
}

/** Fills a destination: `values` in the order of the origin's parameters, `rest` empty or starting with a slash. */
export type Destination = (values: readonly string[], rest: string) => string;

/** Compiles a destination that `canFill` accepted: literals are the pattern's own, the values as they were received. */
export function compileDestination(destination: RoutePattern, origin: RoutePattern): Destination {
  const names = origin.segments.flatMap((segment) => (segment.kind === 'parameter' ? [segment.name] : []));
  const texts = [''];
  const places: number[] = [];
  for (const segment of destination.segments) {
    const last = `${texts.pop()}/`;
    if (segment.kind === 'literal') texts.push(last + segment.text);
    else {
      texts.push(last, '');
      places.push(names.indexOf(segment.name));
    }
  }
  const [first = ''] = texts;
  const end = destination.slash ? '/' : '';
  const fill: Destination = (values, rest) => {
    let path = first;
    for (let index = 0; index < places.length; index += 1) {
      path += (values[places[index] ?? 0] ?? '') + (texts[index + 1] ?? '');
    }
    return path + (destination.wildcard ? rest : end) || '/';
  };
  const fixed = first + end || '/';
  return places.length === 0 && !destination.wildcard ? () => fixed : fill;
}
