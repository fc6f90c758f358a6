/** Returns the duration of the fastest of five runs, for a comparison with other runs on the same machine. */
export function measureFastestRunMs(run: () => unknown): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5; turn += 1) {
    const startedAt = performance.now();
    run();
    leastMs = Math.min(leastMs, performance.now() - startedAt);
  }
  return leastMs;
}
