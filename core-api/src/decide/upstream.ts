/** Where a request goes. */
export interface Upstream {
  /** Host name or IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** The upstream's own Host header. */
  readonly authority: string;
}

const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);

export function createUpstream(host: string, port: number, tls: boolean): Upstream {
  const authority = port === (tls ? 443 : 80) ? bracketed(host) : `${bracketed(host)}:${port}`;
  return { host, port, tls, authority };
}

/** An http(s) address as a target and the path that all its requests start with (without a trailing slash). */
export function upstreamOf(address: string): { upstream: Upstream; pathPrefix: string } {
  const url = new URL(address);
  const tls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    upstream: createUpstream(host, Number(url.port || (tls ? 443 : 80)), tls),
    pathPrefix: url.pathname.replace(/\/+$/, ''),
  };
}

/** The same host and port, written alike. */
export const sameTarget = (one: Upstream, other: Upstream): boolean =>
  one.port === other.port && one.host.toLowerCase() === other.host.toLowerCase();
