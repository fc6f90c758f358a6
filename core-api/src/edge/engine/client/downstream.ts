import type { FailureReason } from '../types';
import type { UpstreamConnection } from '../upstream/upstream-connection';
import type { ClientOutput } from './client-output';

/** The client's side of an exchange, as the writer of the response uses it. */
export interface Downstream {
  readonly output: ClientOutput;
  /** Returns the last header lines of a response: `Date` if it is missing, and `Connection` if it is needed. */
  finalHeaderLines(hasDate: boolean, endsWithConnection: boolean): string;
  onResponseEnded(): void;
  /** Destroys the connection in the middle of a response. */
  abort(reason: FailureReason): void;
  fail(error: unknown): void;
}

/** The client's side of a forwarded exchange. */
export interface ForwardingDownstream extends Downstream {
  /** Called when the upstream can take more of the request body. */
  resumeBody(): void;
  /** Refuses the request, whose response must not have begun. */
  refuse(status: number, reason: FailureReason): void;
  upgrade(connection: UpstreamConnection, first: Buffer): void;
}
