export interface Authority {
  /** Host name or IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

const getDefaultPort = (tls: boolean): number => (tls ? 443 : 80);

/** Returns whether a target that is entered as host and port uses TLS. Only port 443 does (contract §4). */
export const isTlsPort = (port: number): boolean => port === getDefaultPort(true);

export function toAuthority({ hostname, port, protocol }: URL): Authority {
  const tls = protocol === 'https:';
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || getDefaultPort(tls)), tls };
}

/** Formats the value of a Host header, which omits the default port of the scheme (RFC 9110 §7.2). */
export function formatAuthority({ host, port, tls }: Authority): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === getDefaultPort(tls) ? name : `${name}:${port}`;
}
