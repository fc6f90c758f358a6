import { networkInterfaces } from 'node:os';
import { type Address, classifyAddress, extractEmbeddedIPv4, isForbiddenAddress, parseAddress } from './address';

const toCanonicalText = (address: Address): string => (extractEmbeddedIPv4(address) ?? address).toString();

/**
 * Whether an IP address belongs to this machine: loopback, or an address of its interfaces. If the interfaces cannot be
 * listed (a sandbox without netlink), every address counts as own.
 */
export function isOwnAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (classifyAddress(parsed) === 'loopback') return true;
  try {
    const interfaceAddresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    return interfaceAddresses.some((interfaceAddress) => {
      const knownAddress = parseAddress(interfaceAddress.address.replace(/%.*$/, ''));
      return knownAddress !== null && toCanonicalText(knownAddress) === toCanonicalText(parsed);
    });
  } catch {
    return true;
  }
}

/**
 * The reason why an address and port are refused as a target (contract §4): a forbidden address, or a port of this
 * installation.
 */
export type TargetFault = 'forbidden' | 'own';

/** Checks an IP address, as it was written or as a name resolved to it. */
export function findTargetFault(address: string, port: number, ownPorts: readonly number[]): TargetFault | undefined {
  if (isForbiddenAddress(address)) return 'forbidden';
  return ownPorts.includes(port) && isOwnAddress(address) ? 'own' : undefined;
}

export function isLoopbackAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && classifyAddress(parsed) === 'loopback';
}
