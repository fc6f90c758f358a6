/** Which part of a core makes a worker busy: whoever is not slows nobody down. */
const BUSY = 0.3;
/** Behind the others with what it tells, s: workers tell twice a second. */
const SILENT_S = 1.5;

/** Processor time since a worker's start, and when it told so, s. */
interface Told {
  cpuSeconds: number;
  at: number;
}

interface Use {
  now: Told;
  atLastLook: Told | undefined;
}

/**
 * Workers take connections from one socket as each gets to it, and keep them: after a burst, or when a worker was
 * replaced, one of them may have most of those that are in use.
 */
export class Balance {
  private readonly workers = new Map<number, Use>();

  /** @param cpuSeconds since the worker's start. @param at s */
  add(worker: number, cpuSeconds: number, at: number): void {
    this.workers.set(worker, { now: { cpuSeconds, at }, atLastLook: this.workers.get(worker)?.atLastLook });
  }

  remove(worker: number): void {
    this.workers.delete(worker);
  }

  /** @returns who works more than twice as much as another one since the last look, and what part of it is too much */
  look(): { worker: number; part: number } | undefined {
    const shares: { worker: number; share: number }[] = [];
    const last = Math.max(...[...this.workers.values()].map(({ now }) => now.at));
    for (const [worker, use] of this.workers) {
      const { now, atLastLook } = use;
      use.atLastLook = now;
      // Whoever tells nothing hangs or drains: it is not idle, and takes no connection.
      if (!atLastLook || now.at === atLastLook.at || last - now.at > SILENT_S) continue;
      // By its own times: they tell when it likes, and later when they have much to do.
      shares.push({ worker, share: (now.cpuSeconds - atLastLook.cpuSeconds) / (now.at - atLastLook.at) });
    }
    shares.sort((one, other) => other.share - one.share);
    const [busiest, ...others] = shares;
    const idlest = others.at(-1);
    if (!busiest || !idlest || busiest.share < BUSY || idlest.share > busiest.share / 2) return undefined;
    const mean = shares.reduce((sum, { share }) => sum + share, 0) / shares.length;
    return { worker: busiest.worker, part: (busiest.share - mean) / busiest.share };
  }
}
