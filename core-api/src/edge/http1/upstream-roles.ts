import type { SecureContextOptions } from 'node:tls';
import type { AnswerHead } from './answer-head';
import type { Asked } from './answer-reader';
import type { Clock } from './clock';
import type { Limits, Reason, Upstream } from './types';

/**
 * How far an exchange had come when its connection failed: not connected; ended without a byte of an answer, one that had
 * served before (`stale`) or a fresh one (`unanswered`); all else, time-outs included.
 */
export type Phase = 'connect' | 'stale' | 'unanswered' | 'answer';

/** Who waits for an answer. */
export interface Receiver extends Asked {
  /** The whole request has been sent. */
  readonly isSent: boolean;
  /** A fresh connection stands: the request may be sent. */
  connected(): void;
  /** A complete answer with a body of known length, as Latin-1 text. */
  whole(head: AnswerHead, body: string): void;
  /** @param bodyless there is no body, whatever the head says */
  begun(head: AnswerHead, bodyless: boolean): void;
  /** @param bytes lent until the call returns. @returns false when the client reads too slowly: no more until `resume` */
  piece(bytes: Buffer): boolean;
  /** All that has been read so far was handed on. */
  flush(): void;
  /** @param bytes the last piece, lent likewise. @param trailers lines, each with its CRLF */
  end(bytes: Buffer | undefined, trailers: string): void;
  /** A 101: the connection is the receiver's from now on. @param first bytes that came with it, its own copy */
  switched(head: AnswerHead, first: Buffer): void;
  failed(reason: Reason, phase: Phase): void;
  /** The upstream reads on. */
  drained(): void;
  /** Something threw while the upstream's bytes were handled. */
  faulted(error: unknown): void;
}

/** What an open tunnel wants to know of its upstream's side. */
export interface Relay {
  /** @param bytes lent until the call returns */
  received(bytes: Buffer): void;
  drained(): void;
  ended(): void;
  faulted(error: unknown): void;
}

/** Where connections come from and return to. @typeParam K a connection */
export interface ConnectionOwner<K> {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly tls: SecureContextOptions;
  mayConnect(address: string, port: number, upstream: Upstream): boolean;
  connected(connection: K): void;
  release(connection: K): void;
  closed(connection: K, reached: boolean): void;
  /** It sent what nobody asked for. */
  distrust(connection: K): void;
  fault(error: unknown): void;
}
