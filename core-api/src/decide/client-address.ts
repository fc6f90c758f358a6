import { isIP } from 'node:net';

export interface ClientAddress {
  /** Whom address lists are asked about; not an address where a trusted proxy reported garbage. */
  address: string;
  /** The value of X-Forwarded-For for the upstream. */
  forwardedFor: string;
  /** Whether the peer is a trusted proxy, whose X-Forwarded-Proto and -Host are believed too. */
  trusted: boolean;
}

/** An IPv4-mapped IPv6 address as the IPv4 address that it is; without a zone, which names an interface of one machine. */
function plain(address: string): string {
  if (!address.includes(':')) return address;
  const unmapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const colon = unmapped.indexOf(':');
  const zone = colon < 0 ? -1 : unmapped.indexOf('%', colon);
  return zone < 0 ? unmapped : unmapped.slice(0, zone);
}

/**
 * contract §5: the peer, unless it is trusted; then the right-most entry of X-Forwarded-For that is not itself trusted.
 * @param forwarded the header's lines, in their order
 */
export function clientAddress(
  peer: string,
  forwarded: readonly string[],
  isTrusted: (address: string) => boolean,
): ClientAddress {
  const own = plain(peer);
  if (!isTrusted(own)) return { address: own, forwardedFor: own, trusted: false };
  const entries = forwarded.flatMap((line) => line.split(',').map((entry) => plain(entry.trim())));
  const chain = entries.filter((entry) => entry !== '');
  const forwardedFor = [...chain, own].join(', ');
  for (const entry of chain.toReversed()) {
    if (isIP(entry) === 0) return { address: entry, forwardedFor, trusted: true };
    if (!isTrusted(entry)) return { address: entry, forwardedFor, trusted: true };
  }
  return { address: chain[0] ?? own, forwardedFor, trusted: true };
}
