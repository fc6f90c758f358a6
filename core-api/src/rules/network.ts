import { parseAddress } from './address';

/**
 * Whose requests a limit counts together: an IPv4 address, or the /64 of an IPv6 one, since whoever has one address of a
 * /64 has them all. At most 45 characters; text that is no address stays what it is.
 */
export function networkOf(address: string): string {
  const bytes = parseAddress(address);
  if (bytes === null) return address.slice(0, 45);
  if (bytes.length === 4) return bytes.join('.');
  const words = [0, 2, 4, 6].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return `${words.join(':')}::/64`;
}
