import type { Socket } from 'node:net';
import { ForbiddenAddressError } from '../../../platform/net/guarded-lookup';
import type { ResponseHead } from '../message/response-head';
import { ResponseReader, type ResponseSink } from '../message/response-reader';
import type { FailureReason, Upstream } from '../types';
import type { ConnectionOwner, FailurePhase, ResponseReceiver, TunnelRelay } from './upstream-interfaces';
import { openUpstreamSocket, type UpstreamSocketHandler } from './upstream-socket';

/** Pause after a 304 or a response to HEAD that announces a body, ms. Some upstreams send the forbidden body. */
const BODYLESS_DELAY_MS = 50;

/**
 * One keep-alive connection to an upstream. It serves one exchange at a time. The file exceeds 250 lines because socket
 * events and events of the response reader change the same state.
 */
export class UpstreamConnection implements ResponseSink, UpstreamSocketHandler {
  readonly socket: Socket;
  /** Time of `Clock.now` at which the current step times out. */
  deadline: number;
  /** True if `ReuseDelay` has already delayed this connection. */
  hasPassedReuseDelay = false;
  /**
   * Time of the last write to the socket by `monotonicNow`. A write proves that the connection was open at this time. A
   * read does not, because a response may be read long after it arrived.
   */
  lastWriteAt = 0;
  /** Times of `Clock.now` at which the current exchange and its response began; 0 before they begin. */
  private requestStartedAt = 0;
  private responseStartedAt = 0;
  /** Use of the connection. `UpstreamState` counts `busy` and `long-lived` connections. */
  activity: 'busy' | 'long-lived' | 'idle' | 'closed' = 'busy';
  isConnected = false;
  private isAbandoned = false;
  private receiver: ResponseReceiver | undefined;
  private relay: TunnelRelay | undefined;
  private wasUsed = false;
  /** True if bytes of the current request have been written. */
  private hasRequestBytes = false;
  /** True if at least one byte of the current response has arrived. */
  private hasResponseBytes = false;
  private head: ResponseHead | undefined;
  private readonly reader: ResponseReader;

  constructor(
    private readonly owner: ConnectionOwner<UpstreamConnection>,
    readonly upstream: Upstream,
  ) {
    this.deadline = owner.clock.now + owner.limits.connectMs;
    this.reader = new ResponseReader(owner.limits.upstreamHeadBytes, this);
    this.socket = openUpstreamSocket(upstream, owner.tls, this);
    this.socket.on('drain', () => this.guard(() => (this.relay ?? this.receiver)?.onDrain()));
    this.socket.once('end', () => this.guard(() => this.onEnd()));
    this.socket.on('error', (error) => this.guard(() => this.onSocketEnded(error)));
    this.socket.once('close', () =>
      this.guard(() => {
        this.onSocketEnded();
        owner.onClosed(this, !this.isConnected && !this.isAbandoned);
      }),
    );
  }

  /** Returns whether an address is allowed. An exception of the check counts as a refusal. */
  mayConnect(address: string): boolean {
    const { owner, upstream } = this;
    try {
      return owner.mayConnect(address, upstream.port, upstream);
    } catch (error) {
      owner.reportFault(error);
      return false;
    }
  }

  /** Ends only this connection and its exchange if an event of this socket throws an exception. */
  private guard(handle: () => void): void {
    const affected = this.receiver ?? this.relay;
    try {
      handle();
    } catch (error) {
      this.handleFault(error, affected);
    }
  }

  /** @param affected the receiver or relay before the event, because the event may have released it */
  private handleFault(error: unknown, affected: ResponseReceiver | TunnelRelay | undefined): void {
    // If the next exchange already owns the connection, the close event reports the failure to that exchange.
    if (this.receiver === affected) this.receiver = undefined;
    this.relay = undefined;
    this.socket.destroy();
    if (affected) affected.onFault(error);
    else this.owner.reportFault(error);
  }

  onReady(): void {
    this.guard(() => {
      this.isConnected = true;
      this.deadline = Number.POSITIVE_INFINITY;
      this.owner.onConnected(this);
      this.receiver?.onConnect();
    });
  }

  onBytes(bytes: Buffer): void {
    // `guard` is inlined here, because this runs for every read of every response.
    const affected = this.receiver ?? this.relay;
    try {
      this.receive(bytes);
    } catch (error) {
      this.handleFault(error, affected);
    }
  }

  /** Starts an exchange. The caller writes the request to `socket` once it is connected. */
  begin(receiver: ResponseReceiver): void {
    this.receiver = receiver;
    this.reader.begin(receiver);
    this.head = undefined;
    this.hasRequestBytes = false;
    this.hasResponseBytes = false;
    this.requestStartedAt = this.owner.clock.now;
    this.responseStartedAt = 0;
    if (this.isConnected) this.deadline = Number.POSITIVE_INFINITY;
  }

  /** Start of the transfer of the current request or response body, by `Clock.now`; infinite without a transfer. */
  get transferStartedAt(): number {
    if (this.responseStartedAt > 0) return this.responseStartedAt;
    const isSending = this.isConnected && this.receiver?.isRequestEnded === false;
    return isSending ? this.requestStartedAt : Number.POSITIVE_INFINITY;
  }

  /** Starts the time-out of the upstream's next step. A response that has begun keeps its idle time-out. */
  startStep(milliseconds: number): void {
    if (!this.head) this.deadline = this.owner.clock.now + milliseconds;
  }

  /** Records a write of request bytes. @param now by `monotonicNow` @param timeoutMs for the upstream's next step */
  recordRequestWritten(now: number, timeoutMs: number): void {
    this.lastWriteAt = now;
    this.hasRequestBytes = true;
    if (!this.head) this.deadline = now + timeoutMs;
  }

  /** Closes the connection without a notification to the receiver. */
  abandon(): void {
    this.isAbandoned = true;
    this.receiver = undefined;
    this.relay = undefined;
    this.socket.destroy();
  }

  /** Passes all further bytes to a tunnel, after a 101. */
  becomeTunnel(relay: TunnelRelay): void {
    this.relay = relay;
    this.deadline = Number.POSITIVE_INFINITY;
  }

  onTimeout(): void {
    this.guard(() => {
      this.fail(this.isConnected ? 'upstream_timeout' : 'connect_timeout');
      this.socket.destroy();
    });
  }

  private onSocketEnded(error?: Error): void {
    if (this.isConnected) this.fail('upstream_closed');
    else this.fail(error instanceof ForbiddenAddressError ? 'target_forbidden' : 'connect_failed');
    const { relay } = this;
    this.relay = undefined;
    relay?.onEnd();
  }

  private fail(reason: FailureReason): void {
    const { receiver } = this;
    if (!receiver) return;
    this.receiver = undefined;
    this.socket.destroy();
    receiver.onError(reason, this.findPhase(reason));
  }

  private findPhase(reason: FailureReason): FailurePhase {
    if (!this.isConnected) return 'connect';
    // An upstream that times out may have processed the request.
    if (this.hasResponseBytes || reason === 'upstream_timeout') return 'response';
    if (this.wasUsed) return 'stale';
    return reason === 'upstream_closed' ? 'unanswered' : 'response';
  }

  private onEnd(): void {
    if (this.receiver && this.reader.endsWithConnection && !this.wasReset) this.onComplete(undefined, '', false);
    else this.onSocketEnded();
    this.socket.destroy();
  }

  /**
   * A missing `remoteAddress` at the end means a reset. libuv reports a reset right after data as a normal end. Do not
   * read the address earlier: Node caches it. With TLS the end is part of the stream, so a later reset does not matter.
   */
  private get wasReset(): boolean {
    return !this.upstream.tls && this.socket.remoteAddress === undefined;
  }

  private receive(bytes: Buffer): void {
    if (this.relay) this.relay.onData(bytes);
    else if (!this.receiver || !this.hasRequestBytes) {
      this.owner.quarantine(this);
      this.fail('upstream_malformed');
      this.socket.destroy();
    } else {
      this.hasResponseBytes = true;
      if (this.head) this.restartIdleTimeout();
      this.reader.read(bytes);
    }
  }

  private restartIdleTimeout(): void {
    this.deadline = this.owner.clock.now + this.owner.limits.upstreamIdleMs;
  }

  onWholeResponse(head: ResponseHead, body: string, isClean: boolean): void {
    const { receiver } = this;
    const isReusable = this.finishExchange(head, isClean);
    receiver?.onWholeResponse(head, body);
    if (!isReusable) this.socket.destroy();
  }

  onHeaders(head: ResponseHead, hasBody: boolean): void {
    this.head = head;
    this.responseStartedAt = this.owner.clock.now;
    this.restartIdleTimeout();
    this.receiver?.onHeaders(head, hasBody);
  }

  onData(bytes: Buffer): void {
    if (this.receiver?.onData(bytes) !== false || !this.receiver) return;
    // The client is the slow side now, and has a separate stall limit.
    this.deadline = Number.POSITIVE_INFINITY;
    this.socket.pause();
  }

  onReadEnd(): void {
    this.receiver?.onReadEnd();
  }

  onComplete(bytes: Buffer | undefined, trailers: string, isClean: boolean): void {
    const { receiver, head } = this;
    if (!receiver || !head) return;
    const isReusable = this.finishExchange(head, isClean && head.framing !== 'close');
    receiver.onComplete(bytes, trailers);
    if (!isReusable) this.socket.destroy();
  }

  onUpgrade(head: ResponseHead, firstBytes: Buffer): void {
    const { receiver } = this;
    this.receiver = undefined;
    receiver?.onUpgrade(head, Buffer.from(firstBytes));
  }

  onMalformed(): void {
    this.fail('upstream_malformed');
  }

  /** Called when the receiver can take more of the response. */
  resume(): void {
    if (!this.socket.isPaused()) return;
    this.socket.resume();
    if (this.head) this.restartIdleTimeout();
  }

  /** Ends the exchange. @returns whether the connection goes back to the pool, now or after a pause */
  private finishExchange(head: ResponseHead, isClean: boolean): boolean {
    const isRequestEnded = this.receiver?.isRequestEnded ?? false;
    const announcesForbiddenBody = (this.receiver?.isHeadRequest || head.status === 304) && head.framing !== 0;
    this.receiver = undefined;
    this.head = undefined;
    this.wasUsed = true;
    if (!isClean || !isRequestEnded || !head.isPersistent || head.keepAliveMs <= 0) return false;
    if (this.socket.isPaused()) this.socket.resume();
    this.deadline = this.owner.clock.now + head.keepAliveMs;
    if (announcesForbiddenBody) this.releaseDelayed();
    else this.owner.release(this);
    return true;
  }

  /** Returns the connection to the pool after a pause. Bytes that arrive meanwhile close the connection. */
  private releaseDelayed(): void {
    const release = () => {
      if (!this.socket.destroyed) this.owner.release(this);
    };
    // The timer may be late, so bytes that arrived before it are read first.
    setTimeout(() => setImmediate(() => this.guard(release)), BODYLESS_DELAY_MS).unref();
  }
}
