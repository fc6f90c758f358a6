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
 * `idle`: no exchange is under way. `begun`: no byte of the request has been written. `waiting`: at least a part of the
 * request has been written, and no byte of the response has arrived. `head` and `body`: this part of the response is
 * being received.
 */
type ConnectionPhase = 'connecting' | 'idle' | 'begun' | 'waiting' | 'head' | 'body' | 'tunnel' | 'closed';

/** One keep-alive connection to an upstream. It serves one exchange at a time. */
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
  /** Time of `Clock.now` at which the current exchange began, or its response once that has begun. */
  private messageStartedAt = 0;
  /** Written by `Pool` and `UpstreamState`. The latter counts `busy` and `long-lived` connections. */
  activity: 'busy' | 'long-lived' | 'idle' | 'closed' = 'busy';
  private phase: ConnectionPhase = 'connecting';
  /** Remains false if the connect was abandoned. */
  private hasConnectFailed = false;
  private wasUsed = false;
  /** Set from `begun` to `body`, and while the connection is opened for an exchange. */
  private receiver: ResponseReceiver | undefined;
  /** Set in the phase `tunnel` only. */
  private relay: TunnelRelay | undefined;
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
        owner.onClosed(this, this.hasConnectFailed);
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
    if (!this.receiver || this.receiver === affected) this.close();
    else this.socket.destroy();
    if (affected) affected.onFault(error);
    else this.owner.reportFault(error);
  }

  onReady(): void {
    this.guard(() => {
      this.phase = this.receiver ? 'begun' : 'idle';
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

  /** Starts an exchange. @returns true if its request may be written to `socket` now; else `onConnect` follows */
  begin(receiver: ResponseReceiver): boolean {
    this.receiver = receiver;
    this.reader.begin(receiver);
    this.messageStartedAt = this.owner.clock.now;
    if (this.phase === 'connecting') return false;
    this.phase = 'begun';
    this.deadline = Number.POSITIVE_INFINITY;
    return true;
  }

  /** Start of the transfer of the current request or response body, by `Clock.now`; infinite without a transfer. */
  get transferStartedAt(): number {
    const isSending = this.phase !== 'connecting' && this.receiver?.isRequestEnded === false;
    return isSending || this.phase === 'body' ? this.messageStartedAt : Number.POSITIVE_INFINITY;
  }

  /** Starts the time-out of the upstream's next step. A response that has begun keeps its idle time-out. */
  startStep(milliseconds: number): void {
    if (this.phase !== 'body') this.deadline = this.owner.clock.now + milliseconds;
  }

  /** Records a write of request bytes. @param now by `monotonicNow` @param timeoutMs for the upstream's next step */
  recordRequestWritten(now: number, timeoutMs: number): void {
    this.lastWriteAt = now;
    if (this.phase === 'begun') this.phase = 'waiting';
    if (this.phase !== 'body') this.deadline = now + timeoutMs;
  }

  /** Closes the connection without a notification to the receiver. */
  abandon(): void {
    this.close();
    this.hasConnectFailed = false;
  }

  private close(): void {
    this.hasConnectFailed ||= this.phase === 'connecting';
    this.phase = 'closed';
    this.receiver = undefined;
    this.relay = undefined;
    this.socket.destroy();
  }

  /** Passes all further bytes to a tunnel, after a 101. */
  becomeTunnel(relay: TunnelRelay): void {
    this.phase = 'tunnel';
    this.relay = relay;
    this.deadline = Number.POSITIVE_INFINITY;
  }

  onTimeout(): void {
    const reason = this.phase === 'connecting' ? 'connect_timeout' : 'upstream_timeout';
    this.guard(() => this.fail(reason));
  }

  private onSocketEnded(error?: Error): void {
    this.relay?.onEnd();
    if (this.phase !== 'connecting') this.fail('upstream_closed');
    else this.fail(error instanceof ForbiddenAddressError ? 'target_forbidden' : 'connect_failed');
  }

  /** Closes the connection, and informs the exchange that is under way. */
  private fail(reason: FailureReason): void {
    const { receiver } = this;
    const failurePhase = this.findFailurePhase(reason);
    this.close();
    receiver?.onError(reason, failurePhase);
  }

  private findFailurePhase(reason: FailureReason): FailurePhase {
    if (this.phase === 'connecting') return 'connect';
    // An upstream that times out may have processed the request.
    if (reason === 'upstream_timeout') return 'response';
    if (this.phase === 'head' || this.phase === 'body') return 'response';
    if (this.wasUsed) return 'stale';
    return reason === 'upstream_closed' ? 'unanswered' : 'response';
  }

  private onEnd(): void {
    if (this.phase === 'body' && this.reader.endsWithConnection && !this.wasReset) this.reader.finish(undefined, false);
    else this.onSocketEnded();
  }

  /**
   * A missing `remoteAddress` at the end means a reset. libuv reports a reset right after data as a normal end. Do not
   * read the address earlier: Node caches it. With TLS the end is part of the stream, so a later reset does not matter.
   */
  private get wasReset(): boolean {
    return !this.upstream.tls && this.socket.remoteAddress === undefined;
  }

  private receive(bytes: Buffer): void {
    if (this.phase === 'tunnel') this.relay?.onData(bytes);
    else if (this.phase === 'waiting' || this.phase === 'head' || this.phase === 'body') {
      if (this.phase === 'body') this.restartIdleTimeout();
      else this.phase = 'head';
      this.reader.read(bytes);
    } else {
      this.owner.quarantine(this);
      this.fail('upstream_malformed');
    }
  }

  private restartIdleTimeout(): void {
    this.deadline = this.owner.clock.now + this.owner.limits.upstreamIdleMs;
  }

  onWholeResponse(head: ResponseHead, body: string, isClean: boolean): void {
    const { receiver } = this;
    const isReusable = this.finishExchange(head, isClean);
    receiver?.onWholeResponse(head, body);
    if (!isReusable) this.close();
  }

  onHeaders(head: ResponseHead, hasBody: boolean): void {
    this.phase = 'body';
    this.messageStartedAt = this.owner.clock.now;
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

  onComplete(head: ResponseHead, bytes: Buffer | undefined, trailers: string, isClean: boolean): void {
    const { receiver } = this;
    if (!receiver) return;
    const isReusable = this.finishExchange(head, isClean && head.framing !== 'close');
    receiver.onComplete(bytes, trailers);
    if (!isReusable) this.close();
  }

  onUpgrade(head: ResponseHead, firstBytes: Buffer): void {
    const { receiver } = this;
    this.receiver = undefined;
    this.phase = 'idle';
    receiver?.onUpgrade(head, Buffer.from(firstBytes));
  }

  onMalformed(): void {
    this.fail('upstream_malformed');
  }

  /** Called when the receiver can take more of the response. */
  resume(): void {
    if (!this.socket.isPaused()) return;
    this.socket.resume();
    if (this.phase === 'body') this.restartIdleTimeout();
  }

  /** Ends the exchange. @returns whether the connection goes back to the pool, now or after a pause */
  private finishExchange(head: ResponseHead, isClean: boolean): boolean {
    const isRequestEnded = this.receiver?.isRequestEnded ?? false;
    const announcesForbiddenBody = (this.receiver?.isHeadRequest || head.status === 304) && head.framing !== 0;
    this.receiver = undefined;
    this.phase = 'idle';
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
