import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Clock } from './clock';
import type { OpenExchange } from './exchange';
import { Frames } from './frames';
import { Taking } from './taking';
import type { Decision, Limits, Tunnel } from './types';
import type { UpstreamConnection } from './upstream-connection';
import type { Relay } from './upstream-roles';

/** How long both sides have to end after the close frame, ms. */
const FAREWELL_MS = 1_000;
const KEEP_ALIVE_MS = 60_000;
const GOING_AWAY = Buffer.from([0x03, 0xe9]);

/** A close frame with 1001; a client's must be masked (RFC 6455 §5.1). */
function closeFrame(masked: boolean): Buffer {
  if (!masked) return Buffer.from([0x88, GOING_AWAY.length, ...GOING_AWAY]);
  const mask = randomBytes(4);
  return Buffer.from([
    0x88,
    0x80 | GOING_AWAY.length,
    ...mask,
    ...GOING_AWAY.map((byte, at) => byte ^ (mask[at] ?? 0)),
  ]);
}

/** Whose tunnel it is. */
interface Owner {
  /** Both sides have been closed. */
  closed(): void;
  faulted(error: unknown): void;
}

/** Bytes both ways after a 101, with back-pressure. */
export class OpenTunnel<C, D extends Decision> implements Tunnel<C, D>, Relay {
  endsAt: number | undefined;
  private readonly toClient = new Frames();
  private readonly toUpstream = new Frames();
  /** Since a close frame was asked for: when both sides are cut, ms since the epoch. */
  private cutAt = Number.POSITIVE_INFINITY;
  private isClosed = false;
  private readonly clock: Clock;
  /** The upstream's: the client's side is watched with its connection. */
  private readonly taking: Taking;

  constructor(
    readonly exchange: OpenExchange<C, D>,
    private readonly client: Socket,
    private readonly upstream: UpstreamConnection,
    { clock, limits }: { clock: Clock; limits: Limits },
    private readonly owner: Owner,
  ) {
    this.clock = clock;
    this.taking = new Taking(clock, limits.stalledMs);
    const { decision } = exchange;
    this.endsAt = decision?.action === 'forward' ? decision.endsAt : undefined;
    client.setKeepAlive(true, KEEP_ALIVE_MS);
    upstream.becomeTunnel(this);
  }

  /** From the client; its socket is this tunnel's to pause. */
  fromClient(bytes: Buffer): void {
    this.exchange.bytesIn += bytes.length;
    if (this.isEnding && this.toUpstream.isBetween) return;
    this.toUpstream.pass(bytes);
    if (!this.upstream.socket.write(bytes)) this.client.pause();
    if (this.isEnding) this.sayGoodbye();
  }

  /** From the upstream. */
  received(bytes: Buffer): void {
    if (this.isEnding && this.toClient.isBetween) return;
    this.exchange.bytesOut += bytes.length;
    this.toClient.pass(bytes);
    if (!this.client.write(Buffer.from(bytes))) this.upstream.socket.pause();
    if (this.isEnding) this.sayGoodbye();
  }

  /** The upstream takes more. */
  drained(): void {
    this.client.resume();
  }

  /** The client closed its side. */
  clientEnded(): void {
    this.upstream.socket.end();
  }

  clientDrained(): void {
    this.upstream.socket.resume();
  }

  ended(): void {
    this.client.end();
    this.close();
  }

  faulted(error: unknown): void {
    this.owner.faulted(error);
  }

  end(): void {
    if (this.isEnding || this.isClosed) return;
    this.cutAt = this.clock.now + FAREWELL_MS;
    this.sayGoodbye();
  }

  private get isEnding(): boolean {
    return this.cutAt !== Number.POSITIVE_INFINITY;
  }

  tick(): void {
    const { now } = this.clock;
    if (now > this.cutAt) this.cut();
    else if (this.taking.isStalled(this.upstream.socket)) {
      // Its client is not read meanwhile: that one may have gone long ago.
      this.exchange.reason = 'upstream_timeout';
      this.cut();
    } else if (this.endsAt !== undefined && Date.now() >= this.endsAt) this.end();
  }

  private cut(): void {
    this.client.destroy();
    this.close();
  }

  /** To each side as soon as it stands between two frames. */
  private sayGoodbye(): void {
    if (this.toClient.isBetween && this.client.writable) this.client.end(closeFrame(false));
    const { socket } = this.upstream;
    if (this.toUpstream.isBetween && socket.writable) socket.end(closeFrame(true));
  }

  /** Both sides are given up. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.upstream.abandon();
    this.owner.closed();
  }
}
