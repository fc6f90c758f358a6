/** A worker with at least this share of a CPU counts as busy. A worker with a lower share delays no request. */
const BUSY_SHARE = 0.3;
/** Maximum age of a serving worker's last sample, s. A serving worker reports twice a second. */
const MAX_SAMPLE_AGE_S = 1.5;
/** Shedding worked if the difference in load fell below 80 % of the difference at the last order. */
const IMPROVED_BELOW = 0.8;
/** Rounds between two shedding orders if the first order had no effect. The pause doubles each time. */
const MIN_ROUNDS = 2;
const MAX_ROUNDS = 64;

/** Processor time of a worker since its start, and the time of the sample, s. */
interface CpuSample {
  cpuSeconds: number;
  at: number;
}

interface CpuShare {
  worker: number;
  /** Share of a CPU, 0–1. */
  share: number;
}

interface SheddingOrder {
  worker: number;
  /** Difference between the shares of the busiest and the idlest worker. */
  difference: number;
  /** Minimum number of rounds until the next order, if this order has no effect. */
  minRounds: number;
  /** Rounds since this order. */
  rounds: number;
}

/**
 * Runs in the primary and balances the load of the workers. Workers accept from a shared socket and keep their
 * connections. After a burst, or when a worker was replaced, one worker may have most of the busy connections.
 */
export class ConnectionBalancer {
  /** `previous` was the latest sample at the last round; undefined for a new worker or a worker that was suspended. */
  private readonly workers = new Map<number, { latest: CpuSample; previous: CpuSample | undefined }>();
  /** The last orders. The index of an order is the number `skipped` in `orderShedding`. */
  private readonly orders: (SheddingOrder | undefined)[] = [];

  /** Adds a sample. @param cpuSeconds processor time since the worker's start. @param at time of the sample, s */
  add(worker: number, cpuSeconds: number, at: number): void {
    const samples = this.workers.get(worker);
    const silentS = samples ? at - samples.latest.at : 0;
    // The low processor time of a suspended worker does not show its load.
    const wasSuspended =
      samples && silentS > MAX_SAMPLE_AGE_S && cpuSeconds - samples.latest.cpuSeconds < BUSY_SHARE * silentS;
    this.workers.set(worker, { latest: { cpuSeconds, at }, previous: wasSuspended ? undefined : samples?.previous });
  }

  remove(worker: number): void {
    this.workers.delete(worker);
    this.orders.length = 0;
  }

  /** Ends a round. @returns a worker with over twice the load of another, and the `share` of its work above the mean */
  endRound(): { worker: number; share: number } | undefined {
    const shares: CpuShare[] = [];
    const latestAt = Math.max(...[...this.workers.values()].map(({ latest }) => latest.at));
    for (const [worker, samples] of this.workers) {
      const { latest, previous } = samples;
      samples.previous = latest;
      // A worker without a new sample is hung or draining. Such a worker is not idle, and accepts no connection.
      if (!previous || latest.at === previous.at || latestAt - latest.at > MAX_SAMPLE_AGE_S) continue;
      // Shares use the times of the worker's own samples, because busy workers report late.
      shares.push({ worker, share: (latest.cpuSeconds - previous.cpuSeconds) / (latest.at - previous.at) });
    }
    shares.sort((a, b) => b.share - a.share);
    for (const order of this.orders) if (order) order.rounds += 1;
    return this.orderShedding(shares, 0);
  }

  /** @param shares sorted, the busiest first. @param skipped number of busier workers whose order had no effect */
  private orderShedding(shares: readonly CpuShare[], skipped: number): { worker: number; share: number } | undefined {
    const [busiest, ...otherShares] = shares;
    const idlest = otherShares.at(-1);
    if (!busiest || !idlest) return undefined;
    const lastOrder = this.orders[skipped];
    if (busiest.share < BUSY_SHARE || idlest.share > busiest.share / 2) {
      if (lastOrder && lastOrder.rounds >= lastOrder.minRounds) this.orders[skipped] = undefined;
      return undefined;
    }
    const { worker } = busiest;
    if (!this.recordOrder(skipped, worker, busiest.share - idlest.share)) {
      // If the load has moved to another worker since the order, shedding would only move it again.
      return lastOrder?.worker === worker ? this.orderShedding(otherShares, skipped + 1) : undefined;
    }
    const mean = shares.reduce((sum, { share }) => sum + share, 0) / shares.length;
    return { worker, share: (busiest.share - mean) / busiest.share };
  }

  /**
   * Records an order, or returns false if it is delayed. Repeated orders without effect are delayed, because a single
   * connection may overload any worker that gets it.
   */
  private recordOrder(skipped: number, worker: number, difference: number): boolean {
    const lastOrder = this.orders[skipped];
    const hasHelped = lastOrder !== undefined && difference < IMPROVED_BELOW * lastOrder.difference;
    if (lastOrder && !hasHelped && lastOrder.rounds < lastOrder.minRounds) return false;
    let minRounds = lastOrder?.minRounds ?? MIN_ROUNDS;
    if (lastOrder && !hasHelped) minRounds = Math.min(2 * minRounds, MAX_ROUNDS);
    this.orders[skipped] = { worker, difference, minRounds, rounds: 0 };
    return true;
  }
}
