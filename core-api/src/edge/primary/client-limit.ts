import { type ClientUse, EVERYBODY } from '../http1/types';
import type { ToWorker } from '../messages';

const NONE: Omit<ClientUse, 'client'> = { open: 0, idle: 0 };

/** How many connections all clients may have, and each of them. */
interface Most {
  all: number;
  each: number;
}

/**
 * One limit of connections for each client and one for all, whichever workers took them: twice a second all are asked who
 * has many, and those of a client that has too many in all are told how many of it to keep.
 *
 * Who seems to be near the limit is asked about by name the next time, and judged by those answers alone: they leave out no
 * worker that has few of it, and a client that left one worker for another between two answers was at its limit only once.
 */
export class ClientLimit {
  private round = 0;
  private least = 1;
  private watched: readonly string[] = [EVERYBODY];
  /** Of this round. Who hangs does not answer, and has no part in it. */
  private answers = new Map<number, readonly ClientUse[]>();
  private asked: ReadonlySet<number> = new Set();
  /** Workers that keep to something. */
  private readonly capped = new Set<number>();
  /** Clients that had too many, until they have less than half of it: they may come again as soon as some are closed. */
  private readonly crowding = new Set<string>();

  constructor(
    private readonly most: Most,
    private readonly send: (worker: number, message: ToWorker) => void,
  ) {}

  /** @param workers that serve */
  ask(workers: readonly number[]): void {
    if (this.answers.size < this.asked.size) this.judge();
    this.round += 1;
    this.answers = new Map();
    this.asked = new Set(workers);
    // Who is at the limit has a whole share at one of them.
    this.least = Math.ceil(this.most.each / (4 * Math.max(1, workers.length)));
    const { round, least, watched } = this;
    for (const worker of workers) this.send(worker, { type: 'count-clients', round, least, also: watched });
  }

  add(worker: number, round: number, clients: readonly ClientUse[]): void {
    if (round !== this.round || !this.asked.has(worker)) return;
    this.answers.set(worker, clients);
    if (this.answers.size === this.asked.size) this.judge();
  }

  remove(worker: number): void {
    this.capped.delete(worker);
  }

  private judge(): void {
    const caps = new Map<number, [client: string, most: number][]>();
    const uses = new Map<string, Map<number, ClientUse>>();
    for (const [worker, clients] of this.answers) {
      caps.set(worker, []);
      for (const use of clients) uses.set(use.client, (uses.get(use.client) ?? new Map()).set(worker, use));
    }
    for (const client of this.watched) {
      const limit = client === EVERYBODY ? this.most.all : this.most.each;
      for (const [worker, most] of this.share(client, uses.get(client) ?? new Map(), limit))
        caps.get(worker)?.push([client, most]);
    }
    uses.delete(EVERYBODY);
    for (const [worker, own] of caps) {
      if (own.length === 0 && !this.capped.delete(worker)) continue;
      if (own.length > 0) this.capped.add(worker);
      this.send(worker, { type: 'cap-clients', caps: own });
    }
    const near = [...uses].filter(([client, at]) => this.crowding.has(client) || this.mayHave(at) >= this.most.each);
    this.watched = [EVERYBODY, ...near.map(([client]) => client)];
  }

  /** Workers that did not name it have less than was asked for. */
  private mayHave(uses: ReadonlyMap<number, ClientUse>): number {
    const untold = (this.answers.size - uses.size) * (this.least - 1);
    return [...uses.values()].reduce((sum, { open }) => sum + open, untold);
  }

  /** What each may keep: what is too much goes where it is idle, what is left may come to any. */
  private share(client: string, uses: ReadonlyMap<number, ClientUse>, limit: number): [worker: number, most: number][] {
    const all = [...this.answers.keys()].map((worker) => ({ worker, ...(uses.get(worker) ?? NONE) }));
    const total = all.reduce((sum, { open }) => sum + open, 0);
    const excess = total - limit;
    if (excess >= 0) this.crowding.add(client);
    else if (total < limit / 2) this.crowding.delete(client);
    if (!this.crowding.has(client)) return [];
    if (excess < 0) return all.map(({ worker, open }) => [worker, open - excess]);
    let idleLeft = all.reduce((sum, { idle }) => sum + idle, 0);
    let left = Math.min(excess, idleLeft);
    return all.map(({ worker, open, idle }) => {
      const part = idleLeft === 0 ? 0 : Math.round((left * idle) / idleLeft);
      left -= part;
      idleLeft -= idle;
      return [worker, open - part];
    });
  }
}
