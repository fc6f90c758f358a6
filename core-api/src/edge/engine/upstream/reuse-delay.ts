import type { UpstreamConnection } from './upstream-connection';
import type { UpstreamState } from './upstream-state';

/**
 * Delays the reuse of each new connection after its first response. Unrequested bytes after that response then arrive
 * before the next request is sent, and are not mistaken for its response. Each connection is delayed only once.
 */
export class ReuseDelay {
  private readonly states = new Set<UpstreamState>();
  private isTimerSet = false;

  /** @param delayMs 0 disables the delay */
  constructor(private readonly delayMs: number) {}

  /** Makes a connection idle: after the delay at the first call, immediately at later calls. */
  release(state: UpstreamState, connection: UpstreamConnection): void {
    if (connection.hasPassedReuseDelay || this.delayMs === 0) {
      state.idle.push(connection);
      return;
    }
    connection.hasPassedReuseDelay = true;
    state.delayed.push({ connection, delayedAt: performance.now() });
    this.states.add(state);
    if (!this.isTimerSet) this.setTimer();
  }

  private setTimer(): void {
    this.isTimerSet = true;
    setTimeout(() => {
      const latestStart = performance.now() - this.delayMs;
      // The timer may be late, so bytes that arrived before it are read first.
      setImmediate(() => this.releaseDelayed(latestStart));
    }, this.delayMs).unref();
  }

  /** Makes those connections idle whose delay began at `latestStart` (by `performance.now()`) or earlier. */
  private releaseDelayed(latestStart: number): void {
    for (const state of this.states) {
      const { idle, delayed } = state;
      const end = delayed.findIndex((entry) => entry.delayedAt > latestStart);
      for (const { connection } of delayed.splice(0, end < 0 ? delayed.length : end)) idle.push(connection);
      if (delayed.length === 0) this.states.delete(state);
    }
    this.isTimerSet = false;
    if (this.states.size > 0) this.setTimer();
  }
}
