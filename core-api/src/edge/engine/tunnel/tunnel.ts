import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Clock } from '../clock';
import type { Limits } from '../limits';
import type { MutableExchange } from '../message/exchange';
import { StallDetector } from '../message/stall-detector';
import type { Tunnel } from '../types';
import type { UpstreamConnection } from '../upstream/upstream-connection';
import type { TunnelRelay } from '../upstream/upstream-interfaces';
import { WebSocketFrameTracker } from './websocket-frame-tracker';

/** Time for both sides to end after the close frame, ms. */
const CLOSE_TIMEOUT_MS = 1_000;
const KEEP_ALIVE_MS = 60_000;
const GOING_AWAY = Buffer.from([0x03, 0xe9]);

/** Creates a close frame with status 1001 (going away). Frames to the upstream must be masked (RFC 6455 §5.1). */
function createCloseFrame(isMasked: boolean): Buffer {
  if (!isMasked) return Buffer.from([0x88, GOING_AWAY.length, ...GOING_AWAY]);
  const mask = randomBytes(4);
  return Buffer.from([
    0x88,
    0x80 | GOING_AWAY.length,
    ...mask,
    ...GOING_AWAY.map((byte, index) => byte ^ (mask[index] ?? 0)),
  ]);
}

interface TunnelOwner {
  /** Called once, after the upstream's side was closed. */
  onClosed(): void;
  onFault(error: unknown): void;
}

/** Forwards bytes in both directions after a 101, with back-pressure. */
export class WebSocketTunnel implements Tunnel<unknown>, TunnelRelay {
  expiresAt: number | undefined;
  private readonly framesToClient = new WebSocketFrameTracker();
  private readonly framesToUpstream = new WebSocketFrameTracker();
  /** Time of `Clock.now` at which both sides are destroyed, or infinite before `close` is called. */
  private destroyAt = Number.POSITIVE_INFINITY;
  private isClosed = false;
  private readonly clock: Clock;
  /** Detects a stalled upstream. The client connection detects a stalled client. */
  private readonly stallDetector: StallDetector;

  constructor(
    readonly exchange: MutableExchange,
    private readonly client: Socket,
    private readonly upstream: UpstreamConnection,
    { clock, limits }: { clock: Clock; limits: Limits },
    private readonly owner: TunnelOwner,
  ) {
    this.clock = clock;
    this.stallDetector = new StallDetector(clock, limits.stalledMs);
    const { decision } = exchange;
    this.expiresAt = decision?.action === 'forward' ? decision.expiresAt : undefined;
    client.setKeepAlive(true, KEEP_ALIVE_MS);
    upstream.becomeTunnel(this);
  }

  /** Called with bytes from the client. The tunnel may pause the client's socket. */
  onClientData(bytes: Buffer): void {
    this.exchange.bytesIn += bytes.length;
    if (this.isEnding && this.framesToUpstream.isAtBoundary) return;
    this.framesToUpstream.track(bytes);
    if (!this.upstream.socket.write(bytes)) this.client.pause();
    if (this.isEnding) this.sendCloseFrames();
  }

  /** Called with bytes from the upstream. */
  onData(bytes: Buffer): void {
    if (this.isEnding && this.framesToClient.isAtBoundary) return;
    this.exchange.bytesOut += bytes.length;
    this.framesToClient.track(bytes);
    if (!this.client.write(Buffer.from(bytes))) this.upstream.socket.pause();
    if (this.isEnding) this.sendCloseFrames();
  }

  /** Called when the upstream's socket accepts further bytes. */
  onDrain(): void {
    this.client.resume();
  }

  onClientEnd(): void {
    this.upstream.socket.end();
  }

  onClientDrain(): void {
    this.upstream.socket.resume();
  }

  onEnd(): void {
    this.client.end();
    this.destroy();
  }

  onFault(error: unknown): void {
    this.owner.onFault(error);
  }

  close(): void {
    if (this.isEnding || this.isClosed) return;
    this.destroyAt = this.clock.now + CLOSE_TIMEOUT_MS;
    this.sendCloseFrames();
  }

  private get isEnding(): boolean {
    return this.destroyAt !== Number.POSITIVE_INFINITY;
  }

  tick(): void {
    const { now } = this.clock;
    if (now > this.destroyAt) this.destroyBoth();
    else if (this.stallDetector.isStalled(this.upstream.socket)) {
      // Back-pressure has paused the client's socket, so a disconnect of the client would go unnoticed.
      this.exchange.reason = 'upstream_timeout';
      this.destroyBoth();
    } else if (this.expiresAt !== undefined && Date.now() >= this.expiresAt) this.close();
  }

  private destroyBoth(): void {
    this.client.destroy();
    this.destroy();
  }

  /** Sends a close frame to each side that is between two frames. A side within a frame gets it after that frame. */
  private sendCloseFrames(): void {
    if (this.framesToClient.isAtBoundary && this.client.writable) this.client.end(createCloseFrame(false));
    const { socket } = this.upstream;
    if (this.framesToUpstream.isAtBoundary && socket.writable) socket.end(createCloseFrame(true));
  }

  /** Destroys the upstream's connection and informs the owner, which then closes the client's connection. */
  destroy(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.upstream.abandon();
    this.owner.onClosed();
  }
}
