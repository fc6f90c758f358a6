import { parseAddress } from './address';

/** Parses a port from 1 to 65535, as a number or decimal digits (contract §3), or returns undefined. */
export function parsePort(value: unknown): number | undefined {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value.trim()) ? Number(value) : value;
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : undefined;
}

export interface HostPort {
  /** Host name or IP address, IPv6 without brackets. */
  host: string;
  port: number;
}

const HOST_PORT = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/;

/** Parses `host:port` with IPv6 in brackets, or returns undefined for any other text. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, bracketed, unbracketed, digits] = HOST_PORT.exec(text.trim()) ?? [];
  const port = parsePort(digits);
  const host = bracketed ?? unbracketed;
  if (!host || port === undefined || (bracketed && !parseAddress(bracketed))) return undefined;
  return { host, port };
}

/** Returns whether `Resolver.setServers` accepts a text: an IP address with or without a port. */
export const isNameServer = (text: string): boolean =>
  parseAddress(parseHostPort(text)?.host ?? text.replace(/^\[(.*)\]$/, '$1')) !== null;
