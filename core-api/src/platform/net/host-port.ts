import { parseAddress } from './address';

/** A port as a number 1–65535 or as its decimal digits (contract §3); undefined for anything else. */
export function parsePort(value: unknown): number | undefined {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value.trim()) ? Number(value) : value;
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : undefined;
}

export interface HostPort {
  /** Host name, IPv4 or IPv6 without brackets. */
  host: string;
  port: number;
}

const WITH_PORT = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/;

/** Parses `host:port` with IPv6 in brackets; undefined for any other text. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, bracketed, unbracketed, digits] = WITH_PORT.exec(text.trim()) ?? [];
  const port = parsePort(digits);
  const host = bracketed ?? unbracketed;
  if (!host || port === undefined || (bracketed && !parseAddress(bracketed))) return undefined;
  return { host, port };
}

/** Whether a text is an IP address with or without a port, as `Resolver.setServers` takes it. */
export const isNameServer = (text: string): boolean =>
  parseAddress(parseHostPort(text)?.host ?? text.replace(/^\[(.*)\]$/, '$1')) !== null;
