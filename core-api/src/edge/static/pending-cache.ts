import type { LRUCache } from 'lru-cache';

/** A cached value, or the promise of a value that is being loaded. */
export type Pending<Value> = Value | Promise<Value | undefined>;

/** Calls `next` with the value, immediately or when it is loaded. */
export const whenLoaded = <Value, Next>(value: Value | Promise<Value>, next: (value: Value) => Next | Promise<Next>) =>
  value instanceof Promise ? value.then(next) : next(value);

/** Releases a value that leaves its cache, even if it is still being loaded. */
export function releasePending<Value>(pending: Pending<Value>, release: (value: Value) => void): void {
  if (!(pending instanceof Promise)) release(pending);
  else {
    pending.then(
      (value) => value !== undefined && release(value),
      () => undefined,
    );
  }
}

/** Caches a promise for concurrent requests, and later its value. A failure or `undefined` is not cached. */
export function cachePending<Value extends object | string>(
  cache: LRUCache<string, Pending<Value>>,
  key: string,
  pending: Promise<Value | undefined>,
): Promise<Value | undefined> {
  // The time to live counts from the start of the load, because the file may change during the load.
  const start = performance.now();
  cache.set(key, pending, { start });
  const settle = (value: Value | undefined) => {
    if (cache.peek(key, { allowStale: true }) !== pending) return;
    if (value === undefined) cache.delete(key);
    else cache.set(key, value, { start });
  };
  pending.then(settle, () => settle(undefined));
  return pending;
}
