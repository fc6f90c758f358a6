import { type Authority, formatAuthority, toAuthority } from '../platform/net/authority';

/** Host and port of a server to which requests are forwarded. */
export interface Upstream extends Authority {
  /** Host header of the upstream. */
  readonly authority: string;
}

export const createUpstream = (target: Authority): Upstream => ({ ...target, authority: formatAuthority(target) });

/** Parses an http(s) URL into the upstream and the path prefix of its requests, without a trailing slash. */
export function parseUpstream(text: string): { upstream: Upstream; pathPrefix: string } {
  const url = new URL(text);
  return { upstream: createUpstream(toAuthority(url)), pathPrefix: url.pathname.replace(/\/+$/, '') };
}

/** Compares host (without case) and port. */
export const isSameUpstream = (a: Upstream, b: Upstream): boolean =>
  a.port === b.port && a.host.toLowerCase() === b.host.toLowerCase();
