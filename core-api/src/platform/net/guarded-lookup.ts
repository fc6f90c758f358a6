import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { lookup as lookupAsync } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, type LookupFunction } from 'node:net';
import type { HostPort } from './host-port';
import { findTargetRefusal, type TargetRefusal } from './own-address';

/*
 * Name lookups for connections to targets that administrators configure. Each connection does a lookup and checks the
 * addresses of that lookup, so that a name cannot change its address after the check (DNS rebinding).
 */

/** Thrown if no address of a name is allowed. */
export class ForbiddenAddressError extends Error {}

type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Callbacks of the lookups in progress, by name and options. */
const pendingLookups = new Map<string, LookupCallback[]>();

/**
 * Looks up all addresses of a name. Concurrent calls for one name share one lookup, because Node runs only a few at a
 * time. A lookup lasts many seconds if the name servers are silent.
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
 * Creates a lookup for `net.connect` that returns only allowed addresses, or `ForbiddenAddressError` if no address is
 * allowed.
 */
export const createGuardedLookup =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookupAll(hostname, options, (error, addresses) => {
      const allowedAddresses = error ? [] : addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowedAddresses;
      if (error || !first) callback(error ?? new ForbiddenAddressError(hostname), '', 0);
      else if (options.all) callback(null, allowedAddresses);
      else callback(null, first.address, first.family);
    });
  };

/** Creates a lookup for `net.connect` that always returns `addresses`. */
export const createFixedLookup =
  (addresses: LookupAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  };

/** Thrown if an address of a target is not allowed. */
export class RefusedTargetError extends Error {
  constructor(readonly refusal: TargetRefusal) {
    super(refusal);
  }
}

/**
 * Looks up a target and checks its addresses.
 * @throws RefusedTargetError if an address is not allowed, or the signal's reason if the signal aborts
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
  const refusal = addresses.map(({ address }) => findTargetRefusal(address, port, ownPorts)).find(Boolean);
  if (refusal) throw new RefusedTargetError(refusal);
  return addresses;
}

/** Waits for `work`, but rejects if the signal aborts, because `dns.lookup` cannot be cancelled. */
async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return Promise.race([work, once(signal, 'abort').then(() => Promise.reject(signal.reason))]);
}

const LOOKUP_TIMEOUT_MS = 1_000;

/**
 * Checks the current addresses of a host name. A name that does not resolve within a second is not refused, because each
 * connection checks its address again.
 */
export async function findHostRefusal(
  host: string,
  port: number,
  ownPorts: readonly number[],
): Promise<TargetRefusal | undefined> {
  try {
    await lookupTarget({ host, port }, ownPorts, AbortSignal.timeout(LOOKUP_TIMEOUT_MS));
    return undefined;
  } catch (error) {
    return error instanceof RefusedTargetError ? error.refusal : undefined;
  }
}
