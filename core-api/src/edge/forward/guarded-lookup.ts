import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isForbiddenAddress } from '../../rules/address';

type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Leaves out addresses that are never a target (link-local, metadata), whatever a name has come to stand for. */
export const guard =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => !isForbiddenAddress(address));
      const [first] = allowed;
      if (error || !first) callback(error ?? new Error(`${hostname} has no address that may be a target`), '', 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

/** For every connection to an upstream: asked when the connection is made, so that no earlier check can go stale. */
export const guardedLookup = guard(lookup);
