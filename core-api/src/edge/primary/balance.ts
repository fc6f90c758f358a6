/** Which part of a core makes a worker busy: whoever is not slows nobody down. */
const BUSY = 0.3;

interface Use {
  /** Processor time since the worker's start, s. */
  now: number;
  atLastLook: number | undefined;
}

/**
 * Workers take connections from one socket as each gets to it, and keep them: after a burst, or when a worker was
 * replaced, one of them may have most of those that are in use.
 */
export class Balance {
  private readonly workers = new Map<number, Use>();
  private lookedAt = performance.now();

  /** @param cpuSeconds since the worker's start */
  add(worker: number, cpuSeconds: number): void {
    this.workers.set(worker, { now: cpuSeconds, atLastLook: this.workers.get(worker)?.atLastLook });
  }

  remove(worker: number): void {
    this.workers.delete(worker);
  }

  /** @returns who works more than twice as much as another one since the last look, and what part of it is too much */
  look(): { worker: number; part: number } | undefined {
    const elapsedS = (performance.now() - this.lookedAt) / 1000;
    this.lookedAt = performance.now();
    const shares: { worker: number; share: number }[] = [];
    for (const [worker, use] of this.workers) {
      // Whoever tells nothing hangs or drains: it is not idle, and takes no connection.
      if (use.atLastLook !== undefined && use.now !== use.atLastLook)
        shares.push({ worker, share: (use.now - use.atLastLook) / elapsedS });
      use.atLastLook = use.now;
    }
    shares.sort((one, other) => other.share - one.share);
    const [busiest, ...others] = shares;
    const idlest = others.at(-1);
    if (!busiest || !idlest || busiest.share < BUSY || idlest.share > busiest.share / 2) return undefined;
    const mean = shares.reduce((sum, { share }) => sum + share, 0) / shares.length;
    return { worker: busiest.worker, part: (busiest.share - mean) / busiest.share };
  }
}
