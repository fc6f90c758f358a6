import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { lookup as lookupAsync } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, type LookupFunction } from 'node:net';
import type { HostPort } from './host-port';
import { findTargetFault, type TargetFault } from './own-address';

/*
 * Name lookups for connections to targets that administrators configure. Each connection uses only addresses that were
 * checked in its own lookup, so a name that changes its address after a check gains nothing (DNS rebinding).
 */

/** Thrown if no address of a name is allowed. */
export class ForbiddenAddressError extends Error {}

type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Callbacks of the lookups in progress, by name and options. */
const pendingLookups = new Map<string, LookupCallback[]>();

/**
 * Looks up all addresses of a name. The system resolves only a few names at a time, and a name whose servers are silent
 * occupies a place for many seconds. So concurrent requests for one name share one lookup.
 */
function lookupAll(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  const key = `${hostname} ${options.family} ${options.hints}`;
  const pendingCallbacks = pendingLookups.get(key);
  if (pendingCallbacks) {
    pendingCallbacks.push(callback);
    return;
  }
  const callbacks = [callback];
  pendingLookups.set(key, callbacks);
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    pendingLookups.delete(key);
    for (const each of callbacks) each(error, addresses);
  });
}

/**
 * A lookup for `net.connect` that leaves out forbidden addresses. It fails with `ForbiddenAddressError` if none is
 * left.
 */
export const guardedLookup =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookupAll(hostname, options, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (error || !first) callback(error ?? new ForbiddenAddressError(hostname), '', 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

/** A lookup for `net.connect` that returns these addresses. */
export const fixedLookup =
  (addresses: LookupAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  };

/** One of a target's addresses is not allowed. */
export class RefusedTargetError extends Error {
  constructor(readonly fault: TargetFault) {
    super(fault);
  }
}

/**
 * Looks up a target and checks its addresses.
 * @throws RefusedTargetError if one of them is not allowed, the signal's reason when it aborts
 */
export async function lookupTarget(
  { host, port }: HostPort,
  ownPorts: readonly number[],
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const family = isIP(host);
  const addresses = family
    ? [{ address: host, family }]
    : await rejectOnAbort(lookupAsync(host, { all: true }), signal);
  const fault = addresses.map(({ address }) => findTargetFault(address, port, ownPorts)).find(Boolean);
  if (fault) throw new RefusedTargetError(fault);
  return addresses;
}

/** Rejects on abort: `dns.lookup` itself cannot be cancelled. */
async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return Promise.race([work, once(signal, 'abort').then(() => Promise.reject(signal.reason))]);
}

const FAULT_TIMEOUT_MS = 1_000;

/**
 * Checks the addresses that a host name resolves to now. A name that does not resolve within a second passes, because
 * each connection checks its address again.
 */
export async function findHostFault(
  host: string,
  port: number,
  ownPorts: readonly number[],
): Promise<TargetFault | undefined> {
  try {
    await lookupTarget({ host, port }, ownPorts, AbortSignal.timeout(FAULT_TIMEOUT_MS));
    return undefined;
  } catch (error) {
    return error instanceof RefusedTargetError ? error.fault : undefined;
  }
}
