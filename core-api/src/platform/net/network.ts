import { type Address, isIPv4Address, parseAddress } from './address';

/**
 * Returns the key of a client's address for limits, with at most 45 characters. The key of an IPv6 address is its /64,
 * because a client usually has all addresses of a /64. The key of other text is its first 45 characters.
 */
export function toLimitKey(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address.slice(0, 45);
  return isIPv4Address(parsed) ? parsed.toString() : `${formatPrefix(parsed, 4)}::/64`;
}

/**
 * Returns the /48 of an IPv6 address, or null for other addresses. Providers assign a /48, which has 65,536 networks of
 * `toLimitKey`, to one customer.
 */
export function toCustomerNetwork(address: string): string | null {
  const parsed = parseAddress(address);
  return parsed && !isIPv4Address(parsed) ? `${formatPrefix(parsed, 3)}::/48` : null;
}

/** Formats the first groups of an IPv6 address, without leading zeros. */
const formatPrefix = (address: Address, groups: number): string =>
  address.toNormalizedString().split(':').slice(0, groups).join(':');
