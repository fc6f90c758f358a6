import { type Address, isVersion4, parseAddress } from './address';

/**
 * The key by which limits count clients: an IPv4 address, or the /64 of an IPv6 address. A client with one address of a
 * /64 usually has all of them. At most 45 characters. Text that is no address is returned as it is.
 */
export function toNetwork(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address.slice(0, 45);
  return isVersion4(parsed) ? parsed.toString() : `${formatPrefix(parsed, 4)}::/64`;
}

/**
 * The /48 of an IPv6 address, which providers assign to one customer: 65,536 networks of `toNetwork`. Null for others.
 */
export function toSiteNetwork(address: string): string | null {
  const parsed = parseAddress(address);
  return parsed && !isVersion4(parsed) ? `${formatPrefix(parsed, 3)}::/48` : null;
}

/** The first groups of an IPv6 address, without leading zeros. */
const formatPrefix = (address: Address, groups: number): string =>
  address.toNormalizedString().split(':').slice(0, groups).join(':');
