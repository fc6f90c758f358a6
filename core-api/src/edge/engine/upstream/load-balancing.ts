import type { UpstreamState } from './upstream-state';

export interface ChoiceOptions {
  /** True if the request may be sent twice. */
  isRetryable: boolean;
  /** True after a full queue, which is no reason to use an ejected instance. */
  onlyHealthy: boolean;
}

/**
 * Chooses the less loaded of two random instances (power of two choices). Healthy instances with room come
 * first, then healthy instances whose requests must queue, then ejected instances.
 * @returns undefined if no instance is left
 */
export function chooseInstance(
  instances: readonly UpstreamState[],
  { isRetryable, onlyHealthy }: ChoiceOptions,
): UpstreamState | undefined {
  const healthy = instances.filter((state) => state.isHealthy);
  const withRoom = healthy.filter((state) => state.hasRoom);
  const [candidates = onlyHealthy ? healthy : instances] = [withRoom, healthy].filter(({ length }) => length > 0);
  const { length } = candidates;
  const firstIndex = Math.floor(Math.random() * length);
  // Of several candidates, two distinct ones are compared, so that a hung instance loses every comparison.
  const secondIndex = (firstIndex + 1 + Math.floor(Math.random() * (length - 1))) % length;
  const [a, b] = [candidates[firstIndex], candidates[secondIndex]];
  const lessLoaded = a && b && b.load < a.load ? b : a;
  // A busy instance may shut down before it accepts a new connection. A request that cannot be retried thus prefers an
  // instance with a recently used keep-alive connection.
  if (isRetryable || !lessLoaded || lessLoaded.busyCount === 0 || lessLoaded.hasRecentlyUsed) return lessLoaded;
  return candidates.find((state) => state.hasRecentlyUsed) ?? lessLoaded;
}
