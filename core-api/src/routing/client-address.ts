import { isIP } from 'node:net';

export interface ClientAddress {
  /**
   * The address that is compared with address lists. It may be any text, because a trusted proxy may report a text that
   * is not an address.
   */
  address: string;
  forwardedFor: string;
  /** Whether the peer is a trusted proxy, whose `X-Forwarded-Proto`, `X-Request-Id` and trace are used too. */
  isBehindProxy: boolean;
}

/** Name of a peer at the Unix socket `EDGE_SOCKET`. The peer is a proxy that is trusted like `TRUSTED_PROXIES`. */
export const SOCKET_PEER = 'unix:';

/** Turns an IPv4-mapped IPv6 address into IPv4, and removes the zone, which is only valid on one machine. */
function normalizeAddress(address: string): string {
  if (!address.includes(':')) return address;
  const unmapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const colon = unmapped.indexOf(':');
  const zone = colon < 0 ? -1 : unmapped.indexOf('%', colon);
  return zone < 0 ? unmapped : unmapped.slice(0, zone);
}

/**
 * Determines the client's address (contract §5). Behind a trusted proxy, it is the right-most `X-Forwarded-For` entry
 * that is no trusted proxy, or else the left-most entry. An untrusted peer, or a proxy without entries, is the client.
 * @param forwarded values of the `X-Forwarded-For` lines in their order
 */
export function resolveClientAddress(
  peer: string,
  forwarded: readonly string[],
  isTrustedAddress: (address: string) => boolean,
): ClientAddress {
  const isSocket = peer === SOCKET_PEER;
  const peerAddress = isSocket ? '127.0.0.1' : normalizeAddress(peer);
  if (!isSocket && !isTrustedAddress(peerAddress))
    return { address: peerAddress, forwardedFor: peerAddress, isBehindProxy: false };
  const entries = forwarded.flatMap((line) => line.split(',').map((entry) => normalizeAddress(entry.trim())));
  const chain = entries.filter((entry) => entry !== '');
  const forwardedFor = [...chain, peerAddress].join(', ');
  for (const entry of chain.toReversed()) {
    if (isIP(entry) === 0 || !isTrustedAddress(entry)) return { address: entry, forwardedFor, isBehindProxy: true };
  }
  return { address: chain[0] ?? peerAddress, forwardedFor, isBehindProxy: true };
}
