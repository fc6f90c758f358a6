const LITERAL = /^(?:[A-Za-z0-9._~!$&'()*+,=@-]|%[0-9A-Fa-f]{2})+$/;
const PARAMETER = /^:[A-Za-z_][A-Za-z0-9_]*$/;
const BAD_ESCAPE = /%(?:2f|5c|00|0[0-9a-f]|1[0-9a-f]|7f)/i;
const UNRESERVED = /[A-Za-z0-9._~-]/;

export type Segment = { kind: 'literal'; text: string } | { kind: 'parameter'; name: string };

export interface RoutePattern {
  segments: Segment[];
  /** Ends in `/*`. */
  wildcard: boolean;
}

/** Percent-escapes of unreserved characters decoded once, the others with upper-case digits (RFC 3986 §6.2.2). */
export const decodeUnreserved = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (encoded, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });

/**
 * A pattern such as `/pedidos/:id/*` (contract §5), a trailing slash left out; nothing for text that is no pattern:
 * relative, empty or dot segments, `:name` twice, `*` elsewhere than at the end, characters that a path cannot hold.
 */
export function parsePattern(text: string): RoutePattern | undefined {
  if (!text.startsWith('/') || text.length > 1024) return undefined;
  const parts = text.slice(1).split('/');
  if (parts.at(-1) === '') parts.pop();
  const wildcard = parts.at(-1) === '*';
  if (wildcard) parts.pop();
  const names = new Set<string>();
  const segments: Segment[] = [];
  for (const part of parts) {
    if (PARAMETER.test(part)) {
      const name = part.slice(1);
      if (names.has(name)) return undefined;
      names.add(name);
      segments.push({ kind: 'parameter', name });
      continue;
    }
    const literal = decodeUnreserved(part);
    if (!LITERAL.test(literal) || literal.includes('*') || BAD_ESCAPE.test(literal) || /^\.\.?$/.test(literal))
      return undefined;
    segments.push({ kind: 'literal', text: literal });
  }
  return { segments, wildcard };
}

/** Equal for origins that match the same paths: literals in lower case, parameters without their names. */
export const originKey = ({ segments, wildcard }: RoutePattern): string =>
  `/${[...segments.map((segment) => (segment.kind === 'literal' ? segment.text.toLowerCase() : ':')), ...(wildcard ? ['*'] : [])].join('/')}`;

/** The pattern as it is stored and shown. */
export const formatPattern = ({ segments, wildcard }: RoutePattern): string =>
  `/${[...segments.map((segment) => (segment.kind === 'literal' ? segment.text : `:${segment.name}`)), ...(wildcard ? ['*'] : [])].join('/')}`;

/** Whether every parameter and the wildcard of `destination` are supplied by `origin`. */
export function canFill(destination: RoutePattern, origin: RoutePattern): boolean {
  const supplied = new Set(origin.segments.flatMap((segment) => (segment.kind === 'parameter' ? [segment.name] : [])));
  const filled = destination.segments.every((segment) => segment.kind === 'literal' || supplied.has(segment.name));
  return filled && (origin.wildcard || !destination.wildcard);
}
