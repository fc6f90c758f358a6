import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { type AddressBytes, classifyAddress, embeddedIPv4, isForbiddenAddress, parseAddress } from './address';

const textOf = (bytes: AddressBytes): string => (embeddedIPv4(bytes) ?? bytes).join('.');

/**
 * Whether an address literal reaches this machine: loopback, or what one of its interfaces has. Where the interfaces
 * cannot be listed (a sandbox without netlink), every address may be one of them.
 */
export function isOwnAddress(address: string): boolean {
  const bytes = parseAddress(address);
  if (bytes === null) return false;
  if (classifyAddress(bytes) === 'loopback') return true;
  try {
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    return own.some((known) => {
      const knownBytes = parseAddress(known.address.replace(/%.*$/, ''));
      return knownBytes !== null && textOf(knownBytes) === textOf(bytes);
    });
  } catch {
    return true;
  }
}

/** Why an address and port are no target (contract §7): a forbidden address, or this installation itself. */
export type TargetFault = 'forbidden' | 'own';

/** Judges an address literal, as it was written or as a name resolved to it. */
export function targetFault(address: string, port: number, ownPorts: readonly number[]): TargetFault | undefined {
  if (isForbiddenAddress(address)) return 'forbidden';
  return ownPorts.includes(port) && isOwnAddress(address) ? 'own' : undefined;
}

const LOOKUP_TIMEOUT_MS = 1_000;

/**
 * Judges what a host name stands for now. One that does not resolve in time is no fault: it is judged again at each
 * connection.
 */
export async function resolvedTargetFault(
  host: string,
  port: number,
  ownPorts: readonly number[],
): Promise<TargetFault | undefined> {
  if (parseAddress(host)) return targetFault(host, port, ownPorts);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<[]>((resolve) => {
    timer = setTimeout(() => resolve([]), LOOKUP_TIMEOUT_MS);
  });
  const addresses = await Promise.race([lookup(host, { all: true }).catch((): [] => []), late]);
  clearTimeout(timer);
  return addresses.map(({ address }) => targetFault(address, port, ownPorts)).find((fault) => fault !== undefined);
}

/** Loopback, as an address literal. */
export function isLoopbackAddress(address: string): boolean {
  const bytes = parseAddress(address);
  return bytes !== null && classifyAddress(bytes) === 'loopback';
}
