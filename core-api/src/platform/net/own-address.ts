import { networkInterfaces } from 'node:os';
import { type Address, classifyAddress, extractEmbeddedIPv4, isForbiddenAddress, parseAddress } from './address';

const toCanonicalText = (address: Address): string => (extractEmbeddedIPv4(address) ?? address).toString();

/**
 * Returns whether an IP address is a loopback address or an address of this machine's interfaces. If the interfaces
 * cannot be listed, as in a sandbox without netlink, every address counts as an address of this machine.
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

/** The reason why an address and port are refused as a target (contract §4). `own` means a port of this installation. */
export type TargetRefusal = 'forbidden' | 'own';

/** Checks an IP address of a target, which an administrator entered or a name lookup returned. */
export function findTargetRefusal(ip: string, port: number, ownPorts: readonly number[]): TargetRefusal | undefined {
  if (isForbiddenAddress(ip)) return 'forbidden';
  return ownPorts.includes(port) && isOwnAddress(ip) ? 'own' : undefined;
}

export function isLoopbackAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && classifyAddress(parsed) === 'loopback';
}
