/** The lease of a worker. The worker may permit `granted` requests without asking the primary again. */
export interface RateGrant {
  /** Number of requests; 0 when the limit is reached. */
  granted: number;
  /** Number of the slice that counts these requests, for `refund`. */
  slice: number;
  /** Instant at which the lease expires, ms since the epoch. Unused requests stay counted in their slice. */
  expiresAt: number;
  /** Time until the next request may pass, ms. With a limit of 0, it is the duration of a slice. */
  waitMs: number;
}

/** The counts of a window, as they are stored. */
export interface RateWindowState {
  /** Number of the current slice since 1970. */
  slice: number;
  /** Requests per slice, the current slice first. */
  counts: number[];
}

const SHORT_WINDOW_S = 10;
/** Slices per window. A lease lasts two slices (`LEASE_SLICES`), so a short window has fewer and longer slices. */
const countSlices = (seconds: number): number => (seconds < SHORT_WINDOW_S ? 20 : 50);
const getSliceDurationMs = (seconds: number): number => (seconds * 1000) / countSlices(seconds);

/** Start of a slice, ms since the epoch. */
export const getSliceStart = (slice: number, seconds: number): number => slice * getSliceDurationMs(seconds);
/** A lease may be used in the slice of its grant and in the next slice. */
const LEASE_SLICES = 2;

/**
 * Sliding-window counter of one rate limit. A slice stays in the sum until its last request has left the window, so
 * `acquire` never grants more than the limit per window. Leased requests count as used, even if their worker is killed.
 */
export class RateWindow {
  private readonly sliceCount: number;
  private readonly sliceMs: number;

  constructor(
    public limit: number,
    readonly seconds: number,
    readonly state: RateWindowState = { slice: 0, counts: [] },
  ) {
    this.sliceCount = countSlices(seconds);
    this.sliceMs = getSliceDurationMs(seconds);
  }

  /** Grants requests up to the limit. @param now ms since the epoch */
  acquire(requested: number, now: number): RateGrant {
    this.advanceTo(now);
    const granted = Math.max(0, Math.min(requested, this.limit - this.usedCount));
    this.add(granted, now);
    const { slice } = this.state;
    return { granted, slice, expiresAt: (slice + LEASE_SLICES) * this.sliceMs, waitMs: this.computeWaitMs(now) };
  }

  /**
   * Counts requests that are already permitted, even if they exceed the limit.
   * @param permittedAt ms since the epoch; requests that have left the window are not counted
   */
  add(count: number, now: number, permittedAt = now): void {
    this.advanceTo(now);
    const { counts, slice } = this.state;
    const age = Math.max(0, slice - Math.floor(permittedAt / this.sliceMs));
    if (age === 0 || age < counts.length) counts[age] = (counts[age] ?? 0) + count;
  }

  /** Gives back the unused requests of a grant. @param slice of the grant */
  refund(unused: number, slice: number): void {
    const { counts } = this.state;
    const index = this.state.slice - slice;
    const usedInSlice = counts[index];
    if (usedInSlice !== undefined) counts[index] = Math.max(0, usedInSlice - unused);
  }

  private get usedCount(): number {
    return this.state.counts.reduce((sum, count) => sum + count, 0);
  }

  private computeWaitMs(now: number): number {
    const { slice, counts } = this.state;
    let stillUsed = this.usedCount;
    if (stillUsed < this.limit) return 0;
    for (let age = counts.length - 1; age >= 0; age -= 1) {
      stillUsed -= counts[age] ?? 0;
      if (stillUsed < this.limit) return (slice - age + this.sliceCount + LEASE_SLICES) * this.sliceMs - now;
    }
    return this.sliceMs;
  }

  private advanceTo(now: number): void {
    const { state, sliceCount } = this;
    const keptSlices = sliceCount + LEASE_SLICES;
    const slicesAhead = Math.floor(now / this.sliceMs) - state.slice;
    // A clock that is set back by less than a window does not reset the counts.
    if (slicesAhead === 0 || (slicesAhead < 0 && slicesAhead >= -keptSlices)) return;
    const emptySlices = new Array<number>(slicesAhead < 0 ? keptSlices : Math.min(slicesAhead, keptSlices)).fill(0);
    state.counts = [...emptySlices, ...state.counts].slice(0, keptSlices);
    state.slice += slicesAhead;
  }
}
