import { connect } from 'node:net';
import type { HostPort } from './host-port';

const CONNECT_MS = 3_000;
/** Milliseconds for which a result is reused. Health checks that fail at about the same time share the result. */
const CACHE_MS = 5_000;

const isReachable = ({ host, port }: HostPort): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const finish = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });

/**
 * Creates a function that returns whether this machine can connect to any of `addresses` (`WITNESS_ADDRESSES`). Without
 * addresses, the function returns true.
 */
export function createWitnessCheck(addresses: readonly HostPort[]): () => Promise<boolean> {
  let cachedResult: { at: number; result: Promise<boolean> } | undefined;
  return () => {
    if (addresses.length === 0) return Promise.resolve(true);
    if (!cachedResult || performance.now() - cachedResult.at > CACHE_MS)
      cachedResult = {
        at: performance.now(),
        result: Promise.all(addresses.map(isReachable)).then((reachable) => reachable.includes(true)),
      };
    return cachedResult.result;
  };
}
