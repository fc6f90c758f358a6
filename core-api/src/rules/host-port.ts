import { parseAddress } from './address';
import { parsePort } from './port';

export interface HostPort {
  /** IPv6 without brackets. */
  host: string;
  port: number;
}

const WITH_PORT = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/;

/** `host:port`, IPv6 in brackets; nothing for anything else. */
export function readHostPort(text: string): HostPort | undefined {
  const [, bracketed, plain, digits] = WITH_PORT.exec(text.trim()) ?? [];
  const port = parsePort(digits);
  const host = bracketed ?? plain;
  if (!host || port === undefined || (bracketed && !parseAddress(bracketed)?.length)) return undefined;
  return { host, port };
}

/** An address of a DNS server, with or without a port, as `Resolver.setServers` takes it. */
export const isNameServer = (text: string): boolean =>
  parseAddress(readHostPort(text)?.host ?? text.replace(/^\[(.*)\]$/, '$1')) !== null;
