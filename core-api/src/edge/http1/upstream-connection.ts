import type { Socket } from 'node:net';
import type { AnswerHead } from './answer-head';
import { AnswerReader, type AnswerSink } from './answer-reader';
import type { Reason, Upstream } from './types';
import type { ConnectionOwner, Phase, Receiver, Relay } from './upstream-roles';
import { ForbiddenTarget, openUpstreamSocket, type SocketOwner } from './upstream-socket';

/** How long a connection rests after an answer whose head told of a body that must not come: some upstreams send it, ms. */
const REST_MS = 50;

/** One keep-alive connection to an upstream; it serves one exchange at a time. */
export class UpstreamConnection implements AnswerSink, SocketOwner {
  readonly socket: Socket;
  /** When the present step must have ended, ms since the epoch. */
  deadline: number;
  /** It has waited once for what its upstream sends unasked. */
  hasRested = false;
  /**
   * When it was last written to, by `steadyNow`: the upstream was there then. The answer says less, it may have
   * been read long after it came.
   */
  usedAt = 0;
  /** When the present exchange began, and its answer, ms since the epoch; 0 before. */
  private sendingSince = 0;
  private answeringSince = 0;
  /** How its origin counts it. */
  load: 'busy' | 'long' | 'idle' | 'closed' = 'busy';
  isConnected = false;
  private isAbandoned = false;
  private receiver: Receiver | undefined;
  private relay: Relay | undefined;
  private reused = false;
  /** The present request has gone out. */
  private isAsked = false;
  /** A byte of the present answer has come. */
  private answered = false;
  private head: AnswerHead | undefined;
  private readonly reader: AnswerReader;

  constructor(
    private readonly owner: ConnectionOwner<UpstreamConnection>,
    readonly upstream: Upstream,
  ) {
    this.deadline = owner.clock.now + owner.limits.connectMs;
    this.reader = new AnswerReader(owner.limits.upstreamHeadBytes, this);
    this.socket = openUpstreamSocket(upstream, owner.tls, this);
    this.socket.on('drain', () => this.guard(() => (this.relay ?? this.receiver)?.drained()));
    this.socket.once('end', () => this.guard(() => this.ended()));
    this.socket.on('error', (error) => this.guard(() => this.broken(error)));
    this.socket.once('close', () =>
      this.guard(() => {
        this.broken();
        owner.closed(this, this.isConnected || this.isAbandoned);
      }),
    );
  }

  /** What throws here forbids. */
  mayConnect(address: string): boolean {
    const { owner, upstream } = this;
    try {
      return owner.mayConnect(address, upstream.port, upstream);
    } catch (error) {
      owner.fault(error);
      return false;
    }
  }

  /** Whatever throws while an event of this socket is handled ends this connection and its exchange, nothing more. */
  private guard(handle: () => void): void {
    const concerned = this.receiver ?? this.relay;
    try {
      handle();
    } catch (error) {
      this.fault(error, concerned);
    }
  }

  /** @param concerned whose event it was: what threw may have been its end */
  private fault(error: unknown, concerned: Receiver | Relay | undefined): void {
    // The next exchange may have the connection already: it learns of its end as of any other.
    if (this.receiver === concerned) this.receiver = undefined;
    this.relay = undefined;
    this.socket.destroy();
    if (concerned) concerned.faulted(error);
    else this.owner.fault(error);
  }

  ready(): void {
    this.guard(() => {
      this.isConnected = true;
      this.deadline = Number.POSITIVE_INFINITY;
      this.owner.connected(this);
      this.receiver?.connected();
    });
  }

  received(bytes: Buffer): void {
    // Written out: this is every read of every answer.
    const concerned = this.receiver ?? this.relay;
    try {
      this.receive(bytes);
    } catch (error) {
      this.fault(error, concerned);
    }
  }

  /** Takes the connection; the caller then writes the request to `socket`, once it is connected. */
  begin(receiver: Receiver): void {
    this.receiver = receiver;
    this.reader.begin(receiver);
    this.head = undefined;
    this.isAsked = false;
    this.answered = false;
    this.sendingSince = this.owner.clock.now;
    this.answeringSince = 0;
    if (this.isConnected) this.deadline = Number.POSITIVE_INFINITY;
  }

  /** Since when a body has been on its way, ms since the epoch; infinite while the answer is waited for. */
  get bodySince(): number {
    if (this.answeringSince > 0) return this.answeringSince;
    return this.isConnected && this.receiver?.isSent === false ? this.sendingSince : Number.POSITIVE_INFINITY;
  }

  /** The upstream has so long for its next step, ms from now. Before the answer's head alone: then it has its own limit. */
  expectWithin(milliseconds: number): void {
    if (!this.head) this.deadline = this.owner.clock.now + milliseconds;
  }

  /** Bytes of a request go out. @param now by `steadyNow` @param timeoutMs for the upstream's next step */
  written(now: number, timeoutMs: number): void {
    this.usedAt = now;
    this.isAsked = true;
    if (!this.head) this.deadline = now + timeoutMs;
  }

  /** The receiver has no more use for it. */
  abandon(): void {
    this.isAbandoned = true;
    this.receiver = undefined;
    this.relay = undefined;
    this.socket.destroy();
  }

  /** After a 101. */
  becomeTunnel(relay: Relay): void {
    this.relay = relay;
    this.deadline = Number.POSITIVE_INFINITY;
  }

  timeOut(): void {
    this.guard(() => {
      this.fail(this.isConnected ? 'upstream_timeout' : 'connect_timeout');
      this.socket.destroy();
    });
  }

  private broken(error?: Error): void {
    if (this.isConnected) this.fail('upstream_closed');
    else this.fail(error instanceof ForbiddenTarget ? 'target_forbidden' : 'connect_failed');
    const { relay } = this;
    this.relay = undefined;
    relay?.ended();
  }

  private fail(reason: Reason): void {
    const { receiver } = this;
    if (!receiver) return;
    this.receiver = undefined;
    this.socket.destroy();
    receiver.failed(reason, this.phaseOf(reason));
  }

  private phaseOf(reason: Reason): Phase {
    if (!this.isConnected) return 'connect';
    // Who takes too long has the request.
    if (this.answered || reason === 'upstream_timeout') return 'answer';
    if (this.reused) return 'stale';
    return reason === 'upstream_closed' ? 'unanswered' : 'answer';
  }

  private ended(): void {
    if (this.receiver && this.reader.endsWithConnection && !this.wasReset) this.complete(undefined, '', false);
    else this.broken();
    this.socket.destroy();
  }

  /**
   * A reset that comes right behind bytes is told as their end, but such a socket has no peer any more; it must not have been
   * asked for its peer before. With TLS the end is told within the stream, and what follows it does not matter.
   */
  private get wasReset(): boolean {
    return !this.upstream.tls && this.socket.remoteAddress === undefined;
  }

  private receive(bytes: Buffer): void {
    if (this.relay) this.relay.received(bytes);
    else if (!this.receiver || !this.isAsked) {
      this.owner.distrust(this);
      this.fail('upstream_malformed');
      this.socket.destroy();
    } else {
      this.answered = true;
      if (this.head) this.expectMore();
      this.reader.read(bytes);
    }
  }

  private expectMore(): void {
    this.deadline = this.owner.clock.now + this.owner.limits.upstreamIdleMs;
  }

  whole(head: AnswerHead, body: string, isClean: boolean): void {
    const { receiver } = this;
    const kept = this.settle(head, isClean);
    receiver?.whole(head, body);
    if (!kept) this.socket.destroy();
  }

  begun(head: AnswerHead, bodyless: boolean): void {
    this.head = head;
    this.answeringSince = this.owner.clock.now;
    this.expectMore();
    this.receiver?.begun(head, bodyless);
  }

  piece(bytes: Buffer): void {
    if (this.receiver?.piece(bytes) !== false || !this.receiver) return;
    // The client's turn: it has its own limit.
    this.deadline = Number.POSITIVE_INFINITY;
    this.socket.pause();
  }

  flush(): void {
    this.receiver?.flush();
  }

  complete(bytes: Buffer | undefined, trailers: string, isClean: boolean): void {
    const { receiver, head } = this;
    if (!receiver || !head) return;
    const kept = this.settle(head, isClean && head.framing !== 'close');
    receiver.end(bytes, trailers);
    if (!kept) this.socket.destroy();
  }

  switched(head: AnswerHead, first: Buffer): void {
    const { receiver } = this;
    this.receiver = undefined;
    receiver?.switched(head, Buffer.from(first));
  }

  malformed(): void {
    this.fail('upstream_malformed');
  }

  /** The receiver takes more. */
  resume(): void {
    if (!this.socket.isPaused()) return;
    this.socket.resume();
    if (this.head) this.expectMore();
  }

  /** The exchange is over. @returns whether the connection went back to its origin */
  private settle(head: AnswerHead, isClean: boolean): boolean {
    const isSent = this.receiver?.isSent ?? false;
    const mayBeFollowed = (this.receiver?.isHead || head.status === 304) && head.framing !== 0;
    this.receiver = undefined;
    this.head = undefined;
    this.reused = true;
    if (!isClean || !isSent || !head.persistent || head.idleMs <= 0) return false;
    if (this.socket.isPaused()) this.socket.resume();
    this.deadline = this.owner.clock.now + head.idleMs;
    if (mayBeFollowed) this.rest();
    else this.owner.release(this);
    return true;
  }

  /** Bytes that come meanwhile end it: they must not be taken for the answer to somebody else. */
  private rest(): void {
    // The timer may be late, and what has come unread.
    const release = () => {
      if (!this.socket.destroyed) this.owner.release(this);
    };
    setTimeout(() => setImmediate(() => this.guard(release)), REST_MS).unref();
  }
}
