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

/**
 * Finds those that have been idle for the longest. A look at all of them costs more than closing one: what it found serves
 * until it is used up or forgotten.
 */
export class LongestIdle<One extends Idling> {
  /** By client (nothing: of all); who has been idle for the longest comes last. Missing: nobody was looked for. */
  private readonly found = new Map<string | undefined, Found<One>[] | 'none'>();

  /** @param all each with its client */
  constructor(private readonly all: ReadonlyMap<One, string | undefined>) {}

  /** @returns at most so many, the longest idle first; none before `forget`, once a look found none */
  take(client: string | undefined, count: number): One[] {
    const known = this.found.get(client);
    if (known === 'none') return [];
    const taken = known ? this.takeOf(known, count) : [];
    if (taken.length > 0) return taken;
    const found = this.look(client);
    this.found.set(client, found.length > 0 ? found : 'none');
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
    this.found.clear();
  }
}
