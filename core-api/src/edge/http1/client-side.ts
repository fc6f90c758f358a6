import type { ClientOutput } from './client-output';
import type { Reason } from './types';
import type { UpstreamConnection } from './upstream-connection';

/** The client's side of an exchange, as whoever answers it sees it. */
export interface ClientSide {
  readonly output: ClientOutput;
  /** What comes after the answer's other lines: `Date` where it has none, `Connection` where it must be said. */
  lastLines(hasDate: boolean, endsWithConnection: boolean): string;
  /** The answer is whole. */
  answered(): void;
  /** The answer broke off. */
  broken(reason: Reason): void;
  faulted(error: unknown): void;
}

/** Of an exchange that is forwarded. */
export interface ForwardingClient extends ClientSide {
  /** The upstream takes more of the body. */
  takeMore(): void;
  /** No answer has begun. */
  refuse(status: number, reason: Reason): void;
  switched(connection: UpstreamConnection, first: Buffer): void;
}
