/** What a worker may let through by itself. */
export interface Granted {
  /** Requests; 0 when the limit is reached. */
  given: number;
  /** Where they are counted: what is given back names it. */
  slice: number;
  /** What is not used by then, ms since the epoch, lapses: a later window knows it as used in its slice. */
  endsAt: number;
  /** Until one more may pass, ms. */
  waitMs: number;
}

/** What a window remembers. */
export interface WindowState {
  /** The present slice, by its number since 1970. */
  slice: number;
  /** What was let through in each, the present one first. */
  counts: number[];
}

const SHORT_S = 10;
/** Slices of a window: the finer, the sooner what was used is free again; a short one keeps them longer than a lease takes. */
const slicesOf = (seconds: number): number => (seconds < SHORT_S ? 20 : 50);
/** What was given in a slice may be used in the next one too. */
const LEASE_SLICES = 2;

/**
 * Requests of one key in a sliding window of slices, each counted until none of its requests is within the window any
 * more: however they came, no window holds more than the limit. What a worker was given counts as used, so that one that
 * dies loses nothing.
 */
export class RateWindow {
  private readonly slices: number;
  private readonly sliceMs: number;

  constructor(
    public requests: number,
    readonly seconds: number,
    readonly state: WindowState = { slice: 0, counts: [] },
  ) {
    this.slices = slicesOf(seconds);
    this.sliceMs = (seconds * 1000) / this.slices;
  }

  /** @param now ms since the epoch */
  take(wanted: number, now: number): Granted {
    this.turn(now);
    const given = Math.max(0, Math.min(wanted, this.requests - this.used));
    this.add(given, now);
    const { slice } = this.state;
    return { given, slice, endsAt: (slice + LEASE_SLICES) * this.sliceMs, waitMs: this.waitMs(now) };
  }

  /** What was let through elsewhere, whatever the limit. */
  add(count: number, now: number): void {
    this.turn(now);
    const { counts } = this.state;
    counts[0] = (counts[0] ?? 0) + count;
  }

  giveBack(unused: number, slice: number): void {
    const { counts } = this.state;
    const index = this.state.slice - slice;
    const used = counts[index];
    if (used !== undefined) counts[index] = Math.max(0, used - unused);
  }

  private get used(): number {
    return this.state.counts.reduce((sum, count) => sum + count, 0);
  }

  private waitMs(now: number): number {
    const { slice, counts } = this.state;
    let left = this.used;
    if (left < this.requests) return 0;
    for (let age = counts.length - 1; age >= 0; age -= 1) {
      left -= counts[age] ?? 0;
      if (left < this.requests) return (slice - age + this.slices + LEASE_SLICES) * this.sliceMs - now;
    }
    return this.sliceMs;
  }

  private turn(now: number): void {
    const { state, slices } = this;
    const kept = slices + LEASE_SLICES;
    const ahead = Math.floor(now / this.sliceMs) - state.slice;
    // A clock that was set back by less than a window begins no new one.
    if (ahead === 0 || (ahead < 0 && ahead >= -kept)) return;
    const fresh = new Array<number>(ahead < 0 ? kept : Math.min(ahead, kept)).fill(0);
    state.counts = [...fresh, ...state.counts].slice(0, kept);
    state.slice += ahead;
  }
}
