/** Header lists are flat `[name, value, …]` as Node's `rawHeaders` gives them: order and repetition survive. */
export type HeaderList = string[];

/** Between two hops only (RFC 9110 §7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What the edge alone says, and ways to make an upstream see another method or caller. */
const NEVER_FROM_CLIENTS = new Set([
  'host',
  'forwarded',
  'x-real-ip',
  'x-request-id',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
]);
const RESERVED = /^x-(?:forwarded|tenant|gateway)-|_/;

export const isHopByHop = (name: string): boolean => HOP_BY_HOP.has(name);

/** Whether a client's header of this lower-case name stays here whatever the target is. */
export const isNeverForwarded = (name: string): boolean =>
  HOP_BY_HOP.has(name) || NEVER_FROM_CLIENTS.has(name) || RESERVED.test(name);

/** These frame the message or belong to the edge: a client's `Connection` cannot take them away. */
const NOT_NAMEABLE = new Set(['content-length', 'host']);

/** All values of a header, as sent. */
export function valuesOf(headers: HeaderList, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === name) values.push(headers[index + 1] ?? '');
  }
  return values;
}

const tokens = (values: string[]): string[] =>
  values.flatMap((value) =>
    value
      .toLowerCase()
      .split(',')
      .map((token) => token.trim()),
  );

function namedByConnection(headers: HeaderList): Set<string> {
  const named = new Set(tokens(valuesOf(headers, 'connection')));
  for (const name of NOT_NAMEABLE) named.delete(name);
  return named;
}

function filter(headers: HeaderList, isDropped: (name: string) => boolean): HeaderList {
  const kept: HeaderList = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (!isDropped(name.toLowerCase())) kept.push(name, headers[index + 1] ?? '');
  }
  return kept;
}

/** Whether the other side would read trailers. */
export const asksForTrailers = (headers: HeaderList): boolean => tokens(valuesOf(headers, 'te')).includes('trailers');

export interface UpstreamHeaders {
  host: string;
  forwardedFor: string;
  forwardedProto: string;
  forwardedHost: string;
  requestId: string;
  /** This edge's own mark in `Via`: seeing it again is a loop. */
  via: string;
  /** Set after the client's were taken away. */
  extra: HeaderList;
  /** Lower-case names that this target must not get. */
  without: ReadonlySet<string>;
}

/** A request's headers as the upstream gets them; framing is added by the caller. */
export function requestHeaders(received: HeaderList, to: UpstreamHeaders): HeaderList {
  const named = namedByConnection(received);
  const kept = filter(received, (name) => isNeverForwarded(name) || named.has(name) || to.without.has(name));
  const headers = ['Host', to.host, ...kept];
  if (asksForTrailers(received)) headers.push('TE', 'trailers');
  headers.push(
    'X-Forwarded-For',
    to.forwardedFor,
    'X-Forwarded-Proto',
    to.forwardedProto,
    'X-Forwarded-Host',
    to.forwardedHost,
    'X-Request-Id',
    to.requestId,
    'Via',
    to.via,
    ...to.extra,
  );
  return headers;
}

/** An answer's headers as the client gets them. */
export function responseHeaders(received: HeaderList, requestId: string, withTrailers: boolean): HeaderList {
  const named = namedByConnection(received);
  const kept = filter(received, (name) => {
    if (name === 'trailer' && withTrailers) return false;
    return HOP_BY_HOP.has(name) || name === 'x-request-id' || named.has(name);
  });
  return [...kept, 'X-Request-Id', requestId];
}
