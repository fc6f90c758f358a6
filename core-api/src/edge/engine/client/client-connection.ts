import type { Socket } from 'node:net';
import type { ConnectionContext } from '../connection-context';
import { createExchange, createUnparsedExchange, type MutableExchange } from '../message/exchange';
import { type RejectedHead, type RequestHead, RequestReader } from '../message/request-reader';
import type { FailureReason } from '../types';
import { ClientExchange, type ExchangeConnection } from './client-exchange';
import { ClientInput } from './client-input';
import { ClientOutput } from './client-output';
import { ClientTimeouts } from './client-timeouts';
import { KeepAlive } from './keep-alive';
import { LingeringClose } from './lingering-close';
import { type SheddableConnection, WORK_PER_EXCHANGE } from './shedding';

enum ConnectionState {
  /** The next bytes belong to a request head, which may not have begun. */
  Head,
  /** A request is under way; the next bytes belong to it, or are pipelined. */
  Exchange,
  /** The rest of the input is read and dropped. */
  Lingering,
}

/** One client connection: it reads the heads of requests, and has one exchange at a time. */
export class ClientConnection implements ExchangeConnection, SheddableConnection {
  /** Time of `Clock.now` at which the connection opened or its last exchange ended; valid while `isIdle`. */
  idleSince: number;
  readonly input: ClientInput;
  readonly output: ClientOutput;
  readonly timeouts: ClientTimeouts;
  readonly keepAlive = new KeepAlive();
  private state = ConnectionState.Head;
  /** Set in the state `Exchange` only. */
  private exchange: ClientExchange | undefined;
  /** True while the rest of the input waits for the next turn of the event loop. */
  private isReadScheduled = false;
  private readonly lingering: LingeringClose;
  private responseCount = 0;

  constructor(
    private readonly context: ConnectionContext<ClientConnection>,
    readonly socket: Socket,
    readonly peer: string,
  ) {
    const { clock, limits, handler } = context;
    this.timeouts = new ClientTimeouts(clock, limits);
    const reader = new RequestReader(limits, (fields) => handler.parseHeaders(fields, peer));
    this.input = new ClientInput(socket, reader, this.timeouts);
    this.output = new ClientOutput(socket);
    this.lingering = new LingeringClose(socket, limits.lingerBytes);
    this.idleSince = clock.now;
    socket.on('data', (bytes) => {
      try {
        this.receive(bytes);
      } catch (error) {
        this.fail(error);
      }
    });
    socket.on('drain', () => this.guard(() => this.onDrained()));
    socket.on('end', () => this.guard(() => this.onClientEnd()));
    socket.on('finish', () => this.timeouts.startStep(limits.lingerMs));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.guard(() => this.onSocketClosed()));
  }

  /** True if all responses have been sent, and no request is under way. */
  get isIdle(): boolean {
    return this.state === ConnectionState.Head && this.socket.writableLength === 0;
  }

  /** True if the engine permits further requests after the current one. */
  get acceptsRequests(): boolean {
    return this.keepAlive.isEnabled && !this.exchange?.isTunnel;
  }

  /** Work of the process for this connection (`SheddableConnection`). */
  get work(): number {
    return this.socket.bytesRead + this.socket.bytesWritten + this.responseCount * WORK_PER_EXCHANGE;
  }

  /** The next response whose head is not sent yet becomes the last response. */
  closeAfterNextResponse(): void {
    this.keepAlive.closeAfterResponse();
  }

  /** Closes after the next response. An idle connection waits a moment for a request that may be on its way. */
  drain(): void {
    this.closeAfterNextResponse();
    this.timeouts.startDrain();
    if (this.state === ConnectionState.Head) this.timeouts.startIdle();
  }

  /** Flushes buffered earlier responses, and destroys the socket. */
  destroy(): void {
    this.output.flush();
    this.keepAlive.destroy(this.socket);
  }

  guard(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Fault boundary: an exception ends this connection and nothing else. */
  fail(error: unknown): void {
    const record = this.exchange?.record;
    if (record && record.reason === undefined) record.reason = 'fault';
    this.destroy();
    this.context.reportFault(error, record);
  }

  private receive(bytes: Buffer): void {
    if (this.exchange) this.exchange.receive(bytes);
    else if (this.state === ConnectionState.Lingering) this.lingering.drop(bytes);
    else if (this.isReadScheduled) this.input.appendPipelined(bytes);
    else {
      this.input.append(bytes);
      this.readHead();
    }
  }

  private readHead(): void {
    const head = this.input.nextHead();
    if (head?.kind === 'head') this.beginExchange(head);
    else if (head?.kind === 'rejected') this.refuseHead(head);
    else if (head?.kind === 'preface') {
      this.state = ConnectionState.Lingering;
      this.destroy();
    }
  }

  private beginExchange(head: RequestHead): void {
    const record = createExchange(head, this.peer);
    // After a blocked event loop the clock is late, and a time-out based on the late clock would already be over.
    this.context.clock.now = record.startedAt;
    if (head.block.closesConnection) this.keepAlive.closeAfterResponse();
    this.createExchange(record).begin(head);
  }

  private refuseHead(head: Omit<RejectedHead, 'kind'>): void {
    this.keepAlive.closeAfterResponse();
    this.input.takeAll();
    this.createExchange(createUnparsedExchange(head, this.peer)).refuse(head.status, head.reason);
  }

  private createExchange(record: MutableExchange): ClientExchange {
    this.state = ConnectionState.Exchange;
    this.exchange = new ClientExchange(this, this.context, record);
    return this.exchange;
  }

  onResponseEnded(): void {
    this.exchange = undefined;
    this.responseCount += 1;
    if (this.keepAlive.hasSentClose) {
      this.startLingering();
      return;
    }
    this.state = ConnectionState.Head;
    this.idleSince = this.context.clock.now;
    this.timeouts.startIdle();
    if (!this.input.isEmpty) this.scheduleRead();
    else if (this.socket.isPaused()) this.socket.resume();
  }

  /** Reads the rest of the input in the next turn of the event loop, so that no client delays the others. */
  scheduleRead(): void {
    if (this.isReadScheduled) return;
    this.isReadScheduled = true;
    setImmediate(() => {
      this.isReadScheduled = false;
      this.guard(() => this.resumeReading());
    });
  }

  /** Continues with buffered input. The socket is resumed unless many pipelined bytes are left. */
  private resumeReading(): void {
    if (this.exchange) this.exchange.resumeBody();
    else if (this.state === ConnectionState.Head && !this.socket.destroyed) {
      if (!this.input.isFull) this.socket.resume();
      this.readHead();
    }
  }

  private startLingering(): void {
    this.state = ConnectionState.Lingering;
    this.input.takeAll();
    this.timeouts.startStep(Number.POSITIVE_INFINITY); // The event `finish` starts the time-out.
    this.lingering.begin();
  }

  onTunnelClosed(): void {
    this.exchange = undefined;
    this.state = ConnectionState.Lingering;
    this.socket.destroySoon();
  }

  private onDrained(): void {
    if (this.exchange) this.exchange.onClientDrain();
    else if (this.state === ConnectionState.Head && this.socket.isPaused()) {
      this.timeouts.startIdle();
      if (!this.isReadScheduled) this.resumeReading();
    }
  }

  private onClientEnd(): void {
    if (this.exchange) this.exchange.onClientEnd();
    else this.socket.destroySoon();
  }

  private onSocketClosed(): void {
    const { exchange } = this;
    this.exchange = undefined;
    this.state = ConnectionState.Lingering;
    this.context.onConnectionClosed(this);
    exchange?.onSocketClosed();
  }

  /** Checks time-outs. @param elapsedMs time since the last tick, without the time of a blocked event loop */
  tick(elapsedMs: number): void {
    this.guard(() => {
      if (this.timeouts.isStalled(this.socket)) this.abort('client_stalled');
      else if (this.exchange) this.exchange.tick(elapsedMs);
      else if (this.timeouts.isExpired) this.onTimeout();
    });
  }

  private abort(reason: FailureReason): void {
    if (this.exchange) this.exchange.abort(reason);
    else this.destroy();
  }

  private onTimeout(): void {
    // A client that still receives earlier responses may have pipelined further requests, so it is not idle.
    if (this.state === ConnectionState.Head && !this.isIdle) return;
    if (this.state === ConnectionState.Lingering || !this.input.hasPartialHead) this.socket.destroySoon();
    else this.refuseHead({ status: 408, reason: 'head_timeout', text: this.input.takeAll()?.toString('latin1') ?? '' });
  }
}
