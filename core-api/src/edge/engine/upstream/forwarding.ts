import type { ForwardingDownstream } from '../client/downstream';
import { monotonicNow } from '../clock';
import { writeBorrowed } from '../message/borrowed-bytes';
import type { MutableExchange } from '../message/exchange';
import type { HeaderBlock } from '../message/request-head';
import type { ResponseHead } from '../message/response-head';
import { batchWrites, type FlushListener } from '../message/write-batching';
import type { FailureReason, Forward, HeaderRewrite } from '../types';
import type { Pool } from './pool';
import { ResponseForwarder } from './response-forwarder';
import { isSafeToRetry, mayTryNextInstance, toFailureStatus } from './retry-policy';
import type { UpstreamConnection } from './upstream-connection';
import type { FailurePhase, ResponseReceiver } from './upstream-interfaces';
import type { ConnectionWaiter, UpstreamState } from './upstream-state';

/** Forwards one request to an upstream, with retries, and streams the response back. */
export class Forwarding implements ResponseReceiver, ConnectionWaiter, FlushListener {
  readonly isHeadRequest: boolean;
  readonly isWebSocketUpgrade: boolean;
  /** True if no part of the request body follows, like `writableEnded` of a stream in Node. */
  isRequestEnded = false;
  private connection: UpstreamConnection | undefined;
  private state: UpstreamState | undefined;
  private readonly triedStates: UpstreamState[] = [];
  private readonly isRetryable: boolean;
  /** True if the current instance's stale connection has already led to a retry on a new connection. */
  private hasRetriedStale = false;
  /** Bytes of the request body that arrived before there was a connection. */
  private bufferedBody: Buffer | undefined;
  /** True if the request head has been passed to the upstream connection. */
  private isRequestHeadSent = false;
  private sentAt = 0; // Time of the write of the request head, by `monotonicNow`.
  private response: ResponseForwarder | undefined;

  constructor(
    private readonly downstream: ForwardingDownstream,
    private readonly pool: Pool,
    private readonly exchange: MutableExchange,
    private readonly block: HeaderBlock,
    private readonly forward: Forward,
  ) {
    this.isHeadRequest = exchange.method === 'HEAD';
    this.isWebSocketUpgrade = exchange.isUpgrade;
    this.isRetryable = isSafeToRetry(exchange);
  }

  get rewriteHeader(): HeaderRewrite | undefined {
    return this.forward.rewriteHeader;
  }

  /** @param body the part of the request body received so far. @param isEnded true if that part is the whole body */
  start(body: Buffer | undefined, isEnded: boolean): void {
    this.bufferedBody = body;
    this.isRequestEnded = isEnded;
    this.acquireNext('connect_failed');
  }

  /** Ends the upstream side, because the client has disconnected or the exchange was refused. */
  abandon(): void {
    if (this.connection) this.connection.abandon();
    else this.state?.removeWaiter(this);
    this.connection = undefined;
    this.state = undefined;
  }

  get isWaiting(): boolean {
    return this.state !== undefined && this.connection === undefined;
  }

  get canMoveToOtherInstance(): boolean {
    return this.pool.hasRoomAmong(this.forward.upstreams, this.triedStates);
  }

  /** Acquires a connection to an untried instance, or refuses the request with `reason` if no instance is left. */
  private acquireNext(reason: FailureReason): void {
    const { upstreams } = this.forward;
    const options = { isRetryable: this.isRetryable, onlyHealthy: reason === 'queue_full' };
    const state = this.pool.choose(upstreams, this.triedStates, options);
    this.state = state;
    if (!state) {
      this.downstream.refuse(toFailureStatus(reason), reason);
      return;
    }
    this.exchange.upstream = state.upstream;
    this.hasRetriedStale = false;
    this.pool.acquire(state, this, this.isRetryable);
  }

  onConnection(connection: UpstreamConnection): void {
    // An event of another connection may call this method, and the exchange of that connection must not get the fault.
    try {
      this.connection = connection;
      if (connection.begin(this)) this.send(connection);
    } catch (error) {
      this.downstream.fail(error);
    }
  }

  onNoConnection(reason: FailureReason): void {
    const { state } = this;
    this.state = undefined;
    try {
      if (state && reason === 'queue_full') this.tryNextInstance(state, reason);
      else this.downstream.refuse(toFailureStatus(reason), reason);
    } catch (error) {
      this.downstream.fail(error);
    }
  }

  onConnect(): void {
    if (this.connection) this.send(this.connection);
  }

  private send(connection: UpstreamConnection): void {
    const { exchange, forward, block, bufferedBody } = this;
    const upgrade = exchange.isUpgrade ? 'Connection: Upgrade\r\nUpgrade: websocket\r\n' : '';
    const trailers = block.acceptsTrailers && !exchange.isUpgrade ? 'TE: trailers\r\nConnection: TE\r\n' : '';
    const host = forward.usesUpstreamHost ? `Host: ${connection.upstream.authority}\r\n` : '';
    const head = `${exchange.method} ${forward.path} HTTP/1.1\r\n${host}${forward.headerLines}${block.framingLine}${upgrade}${trailers}\r\n`;
    this.isRequestHeadSent = true;
    this.bufferedBody = undefined;
    // A request that cannot be retried is written immediately, while its connection is known to be open.
    if (this.isRetryable) batchWrites(connection.socket, this);
    else this.onFlushed(monotonicNow());
    const acceptsMore = this.writeBody(connection, head, bufferedBody);
    if (!this.isRequestEnded && acceptsMore) this.downstream.resumeBody();
  }

  onFlushed(now: number): void {
    // If the connection failed in the same turn of the event loop, the request waits for another connection.
    if (!this.isRequestHeadSent) return;
    this.sentAt = now;
    this.connection?.recordRequestWritten(now, this.forward.timeoutMs);
  }

  /** Sends or buffers a piece of the body. @returns false when the client must pause until `resumeBody` */
  sendBody(bytes: Buffer | undefined, isEnded: boolean): boolean {
    this.isRequestEnded = isEnded;
    const { connection } = this;
    if (!connection || !this.isRequestHeadSent) {
      if (bytes) this.bufferedBody = this.bufferedBody ? Buffer.concat([this.bufferedBody, bytes]) : bytes;
      return false;
    }
    connection.recordRequestWritten(monotonicNow(), this.forward.timeoutMs);
    return this.writeBody(connection, '', bytes);
  }

  private writeBody({ socket }: UpstreamConnection, head: string, bytes: Buffer | undefined): boolean {
    let [before, after] = [head, ''];
    if (this.exchange.bodyLength === 'chunked') {
      if (bytes) [before, after] = [`${head}${bytes.length.toString(16)}\r\n`, '\r\n'];
      if (this.isRequestEnded) after += '0\r\n\r\n';
    }
    if (!bytes) return before + after === '' || socket.write(before + after, 'latin1');
    return before + after === '' ? socket.write(bytes) : writeBorrowed(socket, before, bytes, after);
  }

  onDrain(): void {
    if (this.isRequestEnded) return;
    this.connection?.startStep(this.forward.timeoutMs);
    this.downstream.resumeBody();
  }

  /** Called when the client's socket can take more of the response. */
  onClientDrain(): void {
    this.connection?.resume();
  }

  private recordStatus({ status }: ResponseHead): void {
    this.exchange.status = status;
    this.exchange.upstreamMs = monotonicNow() - this.sentAt;
  }

  onWholeResponse(head: ResponseHead, body: string): void {
    this.connection = undefined;
    this.recordStatus(head);
    const lastLines = this.downstream.createFinalHeaderLines({ hasDate: head.hasDate, endsWithConnection: false });
    this.downstream.output.write(`${head.headerLines}${this.forward.responseLines}${lastLines}\r\n${body}`);
    this.downstream.onResponseEnded();
  }

  onHeaders(head: ResponseHead, hasBody: boolean): void {
    this.recordStatus(head);
    this.response = new ResponseForwarder(this.downstream, this.block, this.forward, head, hasBody);
  }

  onData(bytes: Buffer): boolean {
    return this.response?.writeBody(bytes) ?? true;
  }

  onReadEnd(): void {
    this.response?.flush();
  }

  onComplete(bytes: Buffer | undefined, trailers: string): void {
    this.connection = undefined;
    this.response?.end(bytes, trailers);
    this.downstream.onResponseEnded();
  }

  onUpgrade(head: ResponseHead, firstBytes: Buffer): void {
    const { connection } = this;
    if (!connection) return;
    if (!this.pool.markLongLived(connection)) {
      this.abandon();
      this.downstream.refuse(503, 'too_many_connections');
      return;
    }
    this.recordStatus(head);
    this.downstream.output.write(
      `${head.headerLines}Connection: Upgrade\r\nUpgrade: websocket\r\n${this.forward.responseLines}\r\n`,
    );
    this.downstream.upgrade(connection, firstBytes);
  }

  onError(reason: FailureReason, phase: FailurePhase): void {
    const { exchange, state } = this;
    this.connection = undefined;
    if (exchange.status !== 0 && !this.response?.isHeadUnsent) {
      this.downstream.abort(reason);
      return;
    }
    this.response = undefined;
    exchange.status = 0;
    this.isRequestHeadSent = false;
    if (phase === 'stale' && state && this.isRetryable && !this.hasRetriedStale) {
      this.hasRetriedStale = true;
      // The stale connection is counted until its close event, so the limit may be exceeded by one for a moment.
      this.pool.openConnectionFor(state, this);
    } else if (state && mayTryNextInstance(phase, this.isRetryable)) this.tryNextInstance(state, reason);
    else this.downstream.refuse(toFailureStatus(reason), reason);
  }

  private tryNextInstance(failedState: UpstreamState, reason: FailureReason): void {
    this.triedStates.push(failedState);
    this.acquireNext(reason);
  }

  onFault(error: unknown): void {
    this.connection = undefined;
    this.downstream.fail(error);
  }
}
