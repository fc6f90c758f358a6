import { parseAddress } from './address';
import { parsePort } from './port';

export interface HostPort {
  /** Host name, IPv4 or IPv6 without brackets. */
  host: string;
  port: number;
}

const WITH_PORT = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/;

/** Parses `host:port` with IPv6 in brackets; undefined for any other text. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, bracketed, plain, digits] = WITH_PORT.exec(text.trim()) ?? [];
  const port = parsePort(digits);
  const host = bracketed ?? plain;
  if (!host || port === undefined || (bracketed && !parseAddress(bracketed))) return undefined;
  return { host, port };
}

/** Whether a text is an IP address with or without a port, as `Resolver.setServers` takes it. */
export const isNameServer = (text: string): boolean =>
  parseAddress(parseHostPort(text)?.host ?? text.replace(/^\[(.*)\]$/, '$1')) !== null;
