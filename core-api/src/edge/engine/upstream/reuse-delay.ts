import type { UpstreamConnection } from './upstream-connection';
import type { UpstreamState } from './upstream-state';

/**
 * Holds each new connection back for a moment after its first response. If the upstream sends more bytes than that response,
 * they arrive before the connection carries another request, and so are not taken for its response. Each connection is
 * delayed once, so a busy connection pays nothing.
 */
export class ReuseDelay {
  private readonly states = new Set<UpstreamState>();
  private isTimerSet = false;

  /** @param delayMs 0 disables the delay */
  constructor(private readonly delayMs: number) {}

  /** Makes a connection idle: after the delay the first time, later at once. */
  release(state: UpstreamState, connection: UpstreamConnection): void {
    if (connection.hasPassedReuseDelay || this.delayMs === 0) {
      state.idle.push(connection);
      return;
    }
    connection.hasPassedReuseDelay = true;
    state.delayed.push({ connection, since: performance.now() });
    this.states.add(state);
    if (!this.isTimerSet) this.setTimer();
  }

  private setTimer(): void {
    this.isTimerSet = true;
    setTimeout(() => {
      const since = performance.now() - this.delayMs;
      // The timer may be late. Bytes that arrived before it are read first.
      setImmediate(() => this.releaseSince(since));
    }, this.delayMs).unref();
  }

  /** Makes connections idle that have been delayed since `since` (`performance.now()`) or longer. */
  private releaseSince(since: number): void {
    for (const state of this.states) {
      const { idle, delayed } = state;
      const left = delayed.findIndex((one) => one.since > since);
      for (const { connection } of delayed.splice(0, left < 0 ? delayed.length : left)) idle.push(connection);
      if (delayed.length === 0) this.states.delete(state);
    }
    this.isTimerSet = false;
    if (this.states.size > 0) this.setTimer();
  }
}
