import type { Socket } from 'node:net';
import type { ConnectionContext } from '../connection-context';
import { createExchange, createUnparsedExchange, type MutableExchange, monotonicNow } from '../message/exchange';
import { RequestBody } from '../message/request-body';
import type { HeaderBlock } from '../message/request-head';
import { type RejectedHead, type RequestHead, RequestReader } from '../message/request-reader';
import { WebSocketTunnel } from '../tunnel/tunnel';
import { CLIENT_GONE, type Decision, type FailureReason, type Forward, type LocalReply } from '../types';
import { Forwarding } from '../upstream/forwarding';
import type { UpstreamConnection } from '../upstream/upstream-connection';
import { ClientInput } from './client-input';
import { ClientOutput } from './client-output';
import { ClientTimeouts } from './client-timeouts';
import type { ForwardingDownstream } from './downstream';
import { KeepAlive } from './keep-alive';
import { LingeringClose } from './lingering-close';
import { LocalReplyWriter } from './local-reply-writer';
import { EXCHANGE_WORK, type SheddableConnection } from './shedding';

/** State of reading: the part of a request that the next bytes belong to. */
enum ReadState {
  /** The next bytes belong to a head; none may have arrived yet. */
  Head,
  /** The head is complete; the handler has not decided yet. */
  Deciding,
  Body,
  /** The request is complete; its response is not. */
  Responding,
  /** The rest of the input is read and dropped. */
  Lingering,
  Tunnel,
}

const NO_BODY = new RequestBody(0);

const isAsync = <D>(decision: D | Promise<D>): decision is Promise<D> => decision instanceof Promise;

/** Closes the source of a reply that is not sent, because the client has disconnected. */
function closeUnsentBody<D extends Decision>(decision: D): void {
  if (decision.action === 'reply' && typeof decision.body === 'object' && 'close' in decision.body)
    decision.body.close();
}

/**
 * One client connection: it reads requests one at a time and has each of them answered. This file exceeds 250 lines
 * because all events of socket and exchange change one read state. Bodies, time-outs and replies have their own files.
 */
export class ClientConnection<C, D extends Decision> implements ForwardingDownstream, SheddableConnection {
  /** Time at which the last exchange ended, ms since the epoch; valid while `isIdle`. */
  idleSince: number;
  private readState = ReadState.Head;
  private readonly input: ClientInput<C>;
  readonly output: ClientOutput;
  private exchange: MutableExchange<C, D> | undefined;
  private body = NO_BODY;
  /** True while the body is not read; `resumeBody` ends this. */
  private isBodyPaused = false;
  /** True while the rest of the input waits for the next turn of the event loop. */
  private isReadScheduled = false;
  private forwarding: Forwarding<C, D> | undefined;
  private readonly localReply = new LocalReplyWriter(this);
  private readonly timeouts: ClientTimeouts;
  private readonly lingering: LingeringClose;
  private tunnel: WebSocketTunnel<C, D> | undefined;
  private readonly keepAlive = new KeepAlive();
  private responseCount = 0;

  constructor(
    private readonly context: ConnectionContext<C, D, ClientConnection<C, D>>,
    private readonly socket: Socket,
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

  /** True if the last response has been sent and no request has begun, except for an incomplete head. */
  get isIdle(): boolean {
    return this.readState === ReadState.Head && this.socket.writableLength === 0;
  }

  /** Whether the engine permits further requests after the current one. */
  get acceptsRequests(): boolean {
    return this.keepAlive.isEnabled && this.readState !== ReadState.Tunnel;
  }

  /** Work of the process for this connection (`SheddableConnection`). */
  get work(): number {
    return this.socket.bytesRead + this.socket.bytesWritten + this.responseCount * EXCHANGE_WORK;
  }

  /** Makes the next response whose head is not sent yet the last response. */
  closeAfterNext(): void {
    this.keepAlive.closeAfterResponse();
  }

  /** Closes after the next response. Without a request, it waits a moment for one that may be on its way. */
  drain(): void {
    this.closeAfterNext();
    this.timeouts.startDrain();
    if (this.readState === ReadState.Head) this.timeouts.startIdle();
  }

  /** Closes at once, after sending buffered earlier responses. */
  destroy(): void {
    this.output.flush();
    this.keepAlive.destroy(this.socket);
  }

  private guard(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Fault boundary: an exception ends this connection and nothing else. */
  fail(error: unknown): void {
    const { exchange } = this;
    if (exchange && exchange.reason === undefined) exchange.reason = 'fault';
    this.destroy();
    this.context.reportFault(error, exchange);
  }

  private receive(bytes: Buffer): void {
    switch (this.readState) {
      case ReadState.Head:
        if (this.isReadScheduled) this.input.appendPipelined(bytes);
        else {
          this.input.append(bytes);
          this.readHead();
        }
        return;
      case ReadState.Body:
        this.input.append(bytes);
        this.readBody();
        return;
      case ReadState.Tunnel:
        this.tunnel?.onClientData(bytes);
        return;
      case ReadState.Lingering:
        this.lingering.drop(bytes);
        return;
      default:
        this.input.appendPipelined(bytes);
        return;
    }
  }

  private readHead(): void {
    const read = this.input.nextHead();
    if (read === undefined) return;
    if (read === 'preface') {
      this.readState = ReadState.Lingering;
      this.destroy();
    } else if ('status' in read) this.refuseHead(read);
    else this.beginExchange(read);
  }

  private beginExchange(head: RequestHead<C>): void {
    const { block, context } = head;
    const exchange = createExchange<C, D>(head, this.peer);
    // After a blocked event loop the clock is late, and a time-out based on it would already be over.
    this.context.clock.now = exchange.startedAt;
    this.exchange = exchange;
    if (block.closesConnection) this.keepAlive.closeAfterResponse();
    this.readState = ReadState.Deciding;
    const decision = this.context.handler.decide(exchange, context);
    if (isAsync(decision)) {
      decision.then(
        (decided) => {
          if (this.exchange === exchange) this.guard(() => this.carryOut(exchange, block, decided));
          else closeUnsentBody(decided);
        },
        (error: unknown) => this.fail(error),
      );
    } else this.carryOut(exchange, block, decision);
  }

  private carryOut(exchange: MutableExchange<C, D>, block: HeaderBlock, decision: D): void {
    exchange.decision = decision;
    this.body = block.body === 0 ? NO_BODY : new RequestBody(block.body);
    this.readState = block.body === 0 ? ReadState.Responding : ReadState.Body;
    if (decision.action === 'forward') this.forward(exchange, block, decision);
    else {
      // A body that has already arrived is skipped. A longer body ends the connection after the reply.
      this.readBodyBytes();
      this.respond(exchange, decision);
    }
  }

  private forward(exchange: MutableExchange<C, D>, block: HeaderBlock, decision: Forward): void {
    if (typeof block.body === 'number' && block.body > decision.maxBodyBytes) {
      this.refuse(413, 'body_too_large');
      return;
    }
    this.forwarding = new Forwarding(this, this.context.pool, exchange, block, decision);
    if (block.body === 0) {
      this.forwarding.start(undefined, true);
      return;
    }
    this.timeouts.startBody();
    if (block.expectsContinue && this.input.isEmpty) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    if (!this.readBodyBytes()) return;
    this.isBodyPaused = true;
    this.forwarding.start(this.body.content, this.body.isEnded);
    if (this.readState === ReadState.Body && this.isBodyPaused) this.socket.pause();
  }

  /** Reads body bytes from the input. @returns false when the request was refused because of its body */
  private readBodyBytes(): boolean {
    const { body, exchange } = this;
    const read = this.input.readBody(body);
    if (read === 'bad') {
      if (exchange?.decision?.action === 'forward') this.refuseBody(400, 'body_malformed');
      return false;
    }
    if (exchange) exchange.bytesIn += read;
    if (body.isEnded && this.readState === ReadState.Body) this.readState = ReadState.Responding;
    if (exchange?.decision?.action !== 'forward' || body.receivedBytes <= exchange.decision.maxBodyBytes) return true;
    this.readState = ReadState.Body;
    this.refuseBody(413, 'body_too_large');
    return false;
  }

  /** Refuses the request, or destroys the connection when its response has already begun. */
  private refuseBody(status: number, reason: FailureReason): void {
    if (this.exchange?.status === 0) this.refuse(status, reason);
    else this.abort(reason);
  }

  private readBody(): void {
    if (!this.readBodyBytes()) return;
    const { content, isEnded } = this.body;
    const acceptsMore = (!content && !isEnded) || this.forwarding?.sendBody(content, isEnded) !== false;
    if (isEnded || this.readState !== ReadState.Body || (acceptsMore && this.input.isEmpty)) return;
    this.isBodyPaused = true;
    this.socket.pause();
    if (acceptsMore) this.scheduleRead();
  }

  resumeBody(): void {
    if (this.readState !== ReadState.Body || this.socket.destroyed) return;
    this.isBodyPaused = false;
    // A read with many chunks may have left input, which must be read first.
    if (!this.input.isEmpty) this.readBody();
    if (!this.isBodyPaused && this.socket.isPaused()) this.socket.resume();
  }

  private refuseHead(refused: RejectedHead): void {
    this.exchange = createUnparsedExchange<C, D>(refused, this.peer);
    this.keepAlive.closeAfterResponse();
    this.input.takeAll();
    this.readState = ReadState.Responding;
    this.refuse(refused.status, refused.reason);
  }

  refuse(status: number, reason: FailureReason): void {
    const { exchange } = this;
    if (!exchange) return;
    this.forwarding?.abandon();
    this.forwarding = undefined;
    exchange.reason = reason;
    if (reason === 'body_malformed') this.keepAlive.closeAfterResponse();
    this.respond(exchange, this.context.handler.refuse(exchange, status));
  }

  private respond(exchange: MutableExchange<C, D>, reply: LocalReply): void {
    exchange.status = reply.status;
    this.localReply.send(reply, exchange.method);
  }

  finalHeaderLines(hasDate: boolean, endsWithConnection: boolean): string {
    // The rest of the request body would be read as the next request.
    if (this.readState === ReadState.Body) this.keepAlive.closeAfterResponse();
    const date = hasDate ? '' : this.context.clock.date;
    return date + this.keepAlive.connectionLine(this.exchange?.minorVersion ?? 1, endsWithConnection);
  }

  abort(reason: FailureReason): void {
    if (this.exchange) this.exchange.reason = reason;
    this.forwarding?.abandon();
    this.forwarding = undefined;
    this.destroy();
  }

  onResponseEnded(): void {
    this.forwarding = undefined;
    this.responseCount += 1;
    this.endExchange();
    if (this.keepAlive.hasSentClose) {
      this.startLingering();
      return;
    }
    this.readState = ReadState.Head;
    this.idleSince = this.context.clock.now;
    this.timeouts.startIdle();
    if (!this.input.isEmpty) this.scheduleRead();
    else if (this.socket.isPaused()) this.socket.resume();
  }

  /** Reads the rest of the input in the next turn of the event loop, so that no client holds up the others. */
  private scheduleRead(): void {
    if (this.isReadScheduled) return;
    this.isReadScheduled = true;
    setImmediate(() => {
      this.isReadScheduled = false;
      this.guard(() => this.resumeReading());
    });
  }

  /** Continues with buffered input. The socket is resumed unless many pipelined bytes are left. */
  private resumeReading(): void {
    if (this.readState === ReadState.Body) this.resumeBody();
    else if (this.readState === ReadState.Head && !this.socket.destroyed) {
      if (!this.input.isFull) this.socket.resume();
      this.readHead();
    }
  }

  private startLingering(): void {
    this.readState = ReadState.Lingering;
    this.input.takeAll();
    this.timeouts.startStep(Number.POSITIVE_INFINITY);
    this.lingering.begin();
  }

  private onDrained(): void {
    if (this.tunnel) this.tunnel.onClientDrain();
    else if (this.localReply.isStreaming) this.localReply.resume();
    else if (this.forwarding) this.forwarding.onClientDrain();
    else if (this.readState === ReadState.Head && this.socket.isPaused()) {
      this.timeouts.startIdle();
      if (!this.isReadScheduled) this.resumeReading();
    }
  }

  upgrade(connection: UpstreamConnection, first: Buffer): void {
    const { exchange, context } = this;
    if (!exchange) return;
    this.forwarding = undefined;
    const input = this.input.takeAll();
    this.readState = ReadState.Tunnel;
    const tunnel: WebSocketTunnel<C, D> = new WebSocketTunnel(exchange, this.socket, connection, context, {
      onClosed: () => {
        context.openTunnels.delete(tunnel);
        this.readState = ReadState.Lingering;
        this.tunnel = undefined;
        this.socket.destroySoon();
        this.endExchange();
      },
      onFault: (error) => this.fail(error),
    });
    this.tunnel = tunnel;
    context.openTunnels.add(tunnel);
    context.handler.onTunnelOpened?.(tunnel);
    if (first.length > 0) tunnel.onData(first);
    if (input) tunnel.onClientData(input);
    if (this.socket.isPaused()) this.socket.resume();
  }

  /** Called when the client ends its side. It counts as disconnected, because a half-closed client looks the same. */
  private onClientEnd(): void {
    if (this.readState === ReadState.Tunnel) this.tunnel?.onClientEnd();
    else if (this.exchange) this.destroy();
    else this.socket.destroySoon();
  }

  private onSocketClosed(): void {
    const { exchange } = this;
    this.readState = ReadState.Lingering;
    this.forwarding?.abandon();
    this.forwarding = undefined;
    this.localReply.stop();
    this.tunnel?.destroy();
    if (exchange && this.exchange) {
      if (exchange.status === 0) exchange.status = CLIENT_GONE;
      exchange.reason ??= 'client_gone';
    }
    this.context.onConnectionClosed(this);
    this.endExchange();
  }

  /** Completes the exchange and reports it once. */
  private endExchange(): void {
    const { exchange } = this;
    if (!exchange) return;
    this.exchange = undefined;
    exchange.bytesOut += this.output.takeByteCount();
    exchange.durationMs = monotonicNow() - exchange.startedAt;
    this.context.handler.onExchangeEnded(exchange);
  }

  /** Checks time-outs. @param elapsedMs time since the last tick in which the edge could have read */
  tick(elapsedMs: number): void {
    this.guard(() => {
      if (this.timeouts.isStalled(this.socket)) this.abort('client_stalled');
      else if (this.isRevoked) this.abort('revoked');
      else if (this.readState === ReadState.Body) this.checkBodyRate(elapsedMs);
      else if (this.timeouts.isExpired) this.onTimeout();
    });
  }

  /** True if the response is under way and the same request would be refused now. */
  private get isRevoked(): boolean {
    const { exchange, forwarding } = this;
    const { clock, limits, handler } = this.context;
    if (!forwarding || !exchange || exchange.status === 0) return false;
    return (
      clock.now - exchange.startedAt > limits.reauthorizeAfterMs && handler.isStillAuthorized?.(exchange) === false
    );
  }

  private checkBodyRate(elapsedMs: number): void {
    if (!this.isBodyPaused && this.timeouts.isBodyTooSlow(this.body.receivedBytes, elapsedMs))
      this.refuseBody(408, 'body_timeout');
  }

  private onTimeout(): void {
    // A client that still receives earlier responses may have pipelined further requests, so it is not idle.
    if (this.readState === ReadState.Head && !this.isIdle) return;
    if (this.readState === ReadState.Lingering || (this.readState === ReadState.Head && this.input.isBetweenRequests))
      this.socket.destroySoon();
    else if (this.readState === ReadState.Head)
      this.refuseHead({ status: 408, reason: 'head_timeout', text: this.input.takeAll()?.toString('latin1') ?? '' });
  }
}
