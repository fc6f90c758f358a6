import type { SecureContextOptions } from 'node:tls';
import type { Clock } from '../clock';
import type { Limits } from '../limits';
import type { ResponseHead } from '../message/response-head';
import type { ExpectedResponse, ResponseSink } from '../message/response-reader';
import type { FailureReason, Upstream } from '../types';

/**
 * Progress of an exchange when its connection failed. `connect`: the connection was not open yet. `stale`: a reused
 * connection ended before the first byte of the response. `unanswered`: the same, for a new connection. `response`: all
 * other cases, including `upstream_timeout`.
 */
export type FailurePhase = 'connect' | 'stale' | 'unanswered' | 'response';

/** Callbacks of the exchange that waits for a response. */
export interface ResponseReceiver extends ExpectedResponse, Pick<ResponseSink, 'onHeaders' | 'onReadEnd'> {
  /** True if the whole request has been passed to the connection, like `writableEnded` of a stream in Node. */
  readonly isRequestEnded: boolean;
  /** Called when a new connection is open, so that the request can be written. */
  onConnect(): void;
  /** Called for a complete response with a body of known length, as Latin-1 text. */
  onWholeResponse(head: ResponseHead, body: string): void;
  /** @param bytes borrowed until the call returns @returns false to pause until `resume`, because the client is slow */
  onData(bytes: Buffer): boolean;
  /** @param bytes last piece, borrowed until the call returns. @param trailers lines, each with its CRLF */
  onComplete(bytes: Buffer | undefined, trailers: string): void;
  /** Called for a 101. The receiver now owns the connection. @param firstBytes a copy of the bytes after the head */
  onUpgrade(head: ResponseHead, firstBytes: Buffer): void;
  onError(reason: FailureReason, phase: FailurePhase): void;
  /** Called when the upstream's socket can take more of the request. */
  onDrain(): void;
  /** Called after an exception in an event of the upstream's socket. */
  onFault(error: unknown): void;
}

/** Callbacks of an open tunnel for events of the upstream's side. */
export interface TunnelRelay {
  /** @param bytes borrowed until the call returns */
  onData(bytes: Buffer): void;
  onDrain(): void;
  onEnd(): void;
  onFault(error: unknown): void;
}

/** The parts of the pool that a connection uses. @typeParam Connection the upstream connection */
export interface ConnectionOwner<Connection> {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly tls: SecureContextOptions;
  mayConnect(address: string, port: number, upstream: Upstream): boolean;
  onConnected(connection: Connection): void;
  release(connection: Connection): void;
  /** @param isConnectFailure counts against the health of the upstream; an abandoned connect is no failure */
  onClosed(connection: Connection, isConnectFailure: boolean): void;
  /** Called when the upstream has sent bytes without a request. */
  quarantine(connection: Connection): void;
  reportFault(error: unknown): void;
}
