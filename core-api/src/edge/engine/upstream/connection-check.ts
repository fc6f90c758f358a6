import type { UpstreamConnection } from './upstream-connection';
import type { ConnectionWaiter, UpstreamState } from './upstream-state';

/** A connection that a request will use if it is still open after the event loop has read all sockets. */
export interface ConnectionCheck {
  readonly state: UpstreamState;
  readonly connection: UpstreamConnection;
  readonly waiter: ConnectionWaiter;
}

/**
 * Makes each non-retryable request wait until the event loop has read every socket once, because the end of a closed
 * connection may be unread. An end that is still on the network cannot be detected.
 */
export class ConnectionChecks {
  /** Checks that were requested in this turn of the event loop. */
  private current: ConnectionCheck[] = [];
  private readonly pending: ConnectionCheck[][] = [];

  /** @param finish called for each check after the event loop has read all sockets */
  constructor(private readonly finish: (check: ConnectionCheck) => void) {}

  add(check: ConnectionCheck): void {
    this.current.push(check);
    // One immediate serves all checks of a turn. Node keeps immediates in a linked list, so an immediate per request
    // would stay in memory until a full garbage collection.
    if (this.current.length === 1) setImmediate(this.endTurn);
  }

  /** The event loop calls `endTurn` before it polls for events, and `finishTurn` after the poll. */
  private readonly endTurn = (): void => {
    this.pending.push(this.current);
    this.current = [];
    setImmediate(this.finishTurn);
  };

  private readonly finishTurn = (): void => {
    for (const check of this.pending.shift() ?? []) this.finish(check);
  };
}
