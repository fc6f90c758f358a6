/** Host and port of a server. */
export interface Authority {
  /** Host name or IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

const defaultPort = (tls: boolean): number => (tls ? 443 : 80);

/** Targets that are entered as host and port use TLS at port 443 (contract §4). */
export const isTlsPort = (port: number): boolean => port === defaultPort(true);

export function toAuthority({ hostname, port, protocol }: URL): Authority {
  const tls = protocol === 'https:';
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || defaultPort(tls)), tls };
}

/** The value of a Host header: without the port if that is the default of the scheme (RFC 9110 §7.2). */
export function formatAuthority({ host, port, tls }: Authority): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === defaultPort(tls) ? name : `${name}:${port}`;
}
