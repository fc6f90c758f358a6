/** A connection, as far as it matters whether it may be closed. */
export interface Idling {
  readonly isIdle: boolean;
  /** Ms of the clock; of interest while `isIdle`. */
  readonly idleSince: number;
}

interface Found<One> {
  one: One;
  since: number;
}

interface Look<One> {
  /** Who has been idle for the longest comes last. */
  found: Found<One>[];
  /** For what it found it cost too much to be repeated before it is forgotten. */
  isPoor: boolean;
}

/** A look that finds less than one in so many would cost more than the connections that come are worth. */
const LOOKED_FOR_ONE = 64;

/**
 * Finds those that have been idle for the longest. A look at all of them costs more than closing one: what it found serves
 * until it is used up or forgotten.
 */
export class LongestIdle<One extends Idling> {
  /** By client; nothing: of all. */
  private readonly looks = new Map<string | undefined, Look<One>>();

  /** @param all each with its client */
  constructor(private readonly all: ReadonlyMap<One, string | undefined>) {}

  /** @returns at most so many, the longest idle first; none before `forget`, once those of a poor look are used up */
  take(client: string | undefined, count: number): One[] {
    const last = this.looks.get(client);
    const taken = last ? this.takeOf(last.found, count) : [];
    if (taken.length > 0 || last?.isPoor) return taken;
    const found = this.look(client);
    this.looks.set(client, { found, isPoor: found.length * LOOKED_FOR_ONE < this.all.size });
    return this.takeOf(found, count);
  }

  private look(client: string | undefined): Found<One>[] {
    const found: Found<One>[] = [];
    for (const [one, own] of this.all) {
      if ((client === undefined || own === client) && one.isIdle) found.push({ one, since: one.idleSince });
    }
    return found.sort((a, b) => a.since - b.since).reverse();
  }

  private takeOf(found: Found<One>[], count: number): One[] {
    const taken: One[] = [];
    while (taken.length < count) {
      const last = found.pop();
      if (!last) break;
      const { one, since } = last;
      // Whoever was used meanwhile has not been idle for the longest.
      if (this.all.has(one) && one.isIdle && one.idleSince === since) taken.push(one);
    }
    return taken;
  }

  forget(): void {
    this.looks.clear();
  }
}
