/** Which part of a core makes a worker busy: whoever is not slows nobody down. */
const BUSY = 0.3;
/** Behind the others with what it tells, s: workers tell twice a second. */
const SILENT_S = 1.5;
/** Of a difference that an order has changed less is left. */
const UNCHANGED = 0.8;
/** Between two orders of which the first changed nothing: in looks, twice as many each time. */
const FIRST_PAUSE = 2;
const LONGEST_PAUSE = 64;

/** Processor time since a worker's start, and when it told so, s. */
interface Told {
  cpuSeconds: number;
  at: number;
}

interface Use {
  now: Told;
  atLastLook: Told | undefined;
}

interface Share {
  worker: number;
  /** Of a core. */
  share: number;
}

interface Order {
  worker: number;
  /** Between the shares of the busiest and the idlest. */
  difference: number;
  /** Looks before another one, if this one does not help. */
  pause: number;
  /** Looks since. */
  looks: number;
}

/**
 * Workers take connections from one socket as each gets to it, and keep them: after a burst, or when a worker was
 * replaced, one of them may have most of those that are in use.
 */
export class Balance {
  private readonly workers = new Map<number, Use>();
  /** The last order among all, then those among whom is left when the busiest ones cannot be helped. */
  private readonly orders: (Order | undefined)[] = [];

  /** @param cpuSeconds since the worker's start. @param at s */
  add(worker: number, cpuSeconds: number, at: number): void {
    const last = this.workers.get(worker);
    const silentS = last ? at - last.now.at : 0;
    // It was stopped: what it did not do meanwhile says nothing of what it has to do.
    const stood = last && silentS > SILENT_S && cpuSeconds - last.now.cpuSeconds < BUSY * silentS;
    this.workers.set(worker, { now: { cpuSeconds, at }, atLastLook: stood ? undefined : last?.atLastLook });
  }

  remove(worker: number): void {
    this.workers.delete(worker);
    this.orders.length = 0;
  }

  /** @returns who works more than twice as much as another one since the last look, and what part of it is too much */
  look(): { worker: number; part: number } | undefined {
    const shares: Share[] = [];
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
    for (const order of this.orders) if (order) order.looks += 1;
    return this.orderTo(shares, 0);
  }

  /** @param shares the busiest first. @param skipped so many, busier ones, that an order did not help */
  private orderTo(shares: readonly Share[], skipped: number): { worker: number; part: number } | undefined {
    const [busiest, ...others] = shares;
    const idlest = others.at(-1);
    if (!busiest || !idlest) return undefined;
    const last = this.orders[skipped];
    if (busiest.share < BUSY || idlest.share > busiest.share / 2) {
      if (last && last.looks >= last.pause) this.orders[skipped] = undefined;
      return undefined;
    }
    const { worker } = busiest;
    if (!this.mayOrder(skipped, worker, busiest.share - idlest.share)) {
      // Another one that has it now would only hand it on.
      return last?.worker === worker ? this.orderTo(others, skipped + 1) : undefined;
    }
    const mean = shares.reduce((sum, { share }) => sum + share, 0) / shares.length;
    return { worker, part: (busiest.share - mean) / busiest.share };
  }

  /** What cannot be moved, or makes whoever takes it as busy, is not to be ended again and again. */
  private mayOrder(skipped: number, worker: number, difference: number): boolean {
    const last = this.orders[skipped];
    const hasHelped = last !== undefined && difference < UNCHANGED * last.difference;
    if (last && !hasHelped && last.looks < last.pause) return false;
    let pause = last?.pause ?? FIRST_PAUSE;
    if (last && !hasHelped) pause = Math.min(2 * pause, LONGEST_PAUSE);
    this.orders[skipped] = { worker, difference, pause, looks: 0 };
    return true;
  }
}
