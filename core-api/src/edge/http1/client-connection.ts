import type { Socket } from 'node:net';
import { ClientInput } from './client-input';
import { ClientOutput } from './client-output';
import type { ForwardingClient } from './client-side';
import { ClientTimes } from './client-times';
import type { ConnectionContext } from './connection-context';
import { exchangeOf, type OpenExchange, steadyNow, unreadExchange } from './exchange';
import { Forwarding } from './forwarding';
import { Lingering } from './lingering';
import { OwnAnswers } from './own-answers';
import { RequestBody } from './request-body';
import type { Block } from './request-head';
import { type ReadHead, type RefusedHead, RequestReader } from './request-reader';
import { EXCHANGE_WORK, type Working } from './shedding';
import { OpenTunnel } from './tunnel';
import { type Answer, CLIENT_GONE, type Decision, type Forward, type Reason } from './types';
import type { UpstreamConnection } from './upstream-connection';

const NO_BODY = new RequestBody(0);

enum Mode {
  /** Between requests, or in the middle of a head. */
  Head,
  /** A head has been read and the handler has not decided yet. */
  Deciding,
  /** A request's body comes. */
  Body,
  /** The request is whole, its answer is not. */
  Answering,
  /** Nothing more is read but to be dropped. */
  Leaving,
  Tunnel,
}

const isAsync = <D>(decision: D | Promise<D>): decision is Promise<D> => decision instanceof Promise;

/** It is not sent: a body that is read while it is sent has to be closed. */
function discard<D extends Decision>(decided: D): void {
  if (decided.action === 'answer' && typeof decided.body === 'object' && 'close' in decided.body) decided.body.close();
}

/** One client's connection: reads its requests, one at a time, and has each answered. */
export class ClientConnection<C, D extends Decision> implements ForwardingClient, Working {
  /** Since when nothing is under way; of interest while `isIdle`. */
  idleSince: number;
  private mode = Mode.Head;
  /** `readHeads` is at work: what ends meanwhile is continued by it. */
  private isReading = false;
  private readonly input: ClientInput<C>;
  readonly output: ClientOutput;
  private exchange: OpenExchange<C, D> | undefined;
  private body = NO_BODY;
  private forwarding: Forwarding<C, D> | undefined;
  private readonly own = new OwnAnswers(this);
  private readonly times: ClientTimes;
  private readonly lingering: Lingering;
  private tunnel: OpenTunnel<C, D> | undefined;
  /** The connection ends with the next answer whose head says so. */
  private closes = false;
  /** The client has been told: there is no further answer. */
  private saidClose = false;
  /** The present or last answer has no other end than the connection's. */
  private endsWithConnection = false;
  private answers = 0;
  /** No more of the body is wanted for now. */
  private isHeld = false;

  constructor(
    private readonly around: ConnectionContext<C, D, ClientConnection<C, D>>,
    private readonly socket: Socket,
    readonly peer: string,
  ) {
    const { clock, limits, handler } = around;
    this.times = new ClientTimes(clock, limits);
    const reader = new RequestReader(limits, (fields) => handler.read(fields, peer));
    this.input = new ClientInput(socket, reader, this.times);
    this.output = new ClientOutput(socket);
    this.lingering = new Lingering(socket, limits.lingerBytes);
    this.idleSince = clock.now;
    socket.on('data', (bytes) => {
      try {
        this.receive(bytes);
      } catch (error) {
        this.faulted(error);
      }
    });
    socket.on('drain', () => this.guard(() => this.drained()));
    socket.on('end', () => this.guard(() => this.ended()));
    socket.on('finish', () => this.times.expectWithin(limits.lingerMs));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.guard(() => this.left()));
  }

  /** Between two requests, or with nothing but the beginning of a head, and the last answer has gone out. */
  get isIdle(): boolean {
    return this.mode === Mode.Head && this.socket.writableLength === 0;
  }

  /** As far as is known it takes requests after the present one. */
  get goesOn(): boolean {
    return !this.closes && this.mode !== Mode.Tunnel;
  }

  /** Of the process for it, as `Working` has it. */
  get work(): number {
    return this.socket.bytesRead + this.socket.bytesWritten + this.answers * EXCHANGE_WORK;
  }

  /** The next answer whose head has not gone out is the last and says so. */
  closeAfterNext(): void {
    this.closes = true;
  }

  /** Likewise; without a request it ends soon: one may be on its way. */
  drain(): void {
    this.closeAfterNext();
    this.times.hurry();
    if (this.mode === Mode.Head) this.times.expectRequest();
  }

  /** At once; the answers before the present one are the client's all the same. */
  destroy(): void {
    this.output.flush();
    // An end would make what has come of such an answer look whole. With `finish` the end has been told behind all of it.
    if (this.endsWithConnection && !this.socket.writableFinished) this.socket.resetAndDestroy();
    else this.socket.destroy();
  }

  private guard(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.faulted(error);
    }
  }

  /** The boundary: what throws ends this connection and nothing more. */
  faulted(error: unknown): void {
    const { exchange } = this;
    if (exchange && exchange.reason === undefined) exchange.reason = 'fault';
    this.destroy();
    this.around.fault(error, exchange);
  }

  private receive(bytes: Buffer): void {
    switch (this.mode) {
      case Mode.Head:
        this.input.add(bytes);
        this.readHeads();
        return;
      case Mode.Body:
        this.input.add(bytes);
        this.readBody();
        return;
      case Mode.Tunnel:
        this.tunnel?.fromClient(bytes);
        return;
      case Mode.Leaving:
        this.lingering.drop(bytes);
        return;
      default:
        this.input.keep(bytes);
        return;
    }
  }

  private readHeads(): void {
    this.isReading = true;
    while (this.mode === Mode.Head) {
      const read = this.input.nextHead();
      if (read === undefined) break;
      if (read === 'preface') {
        this.mode = Mode.Leaving;
        this.destroy();
      } else if ('status' in read) this.refuseHead(read);
      else this.begin(read);
    }
    this.isReading = false;
  }

  private begin(head: ReadHead<C>): void {
    const { block, context } = head;
    const exchange = exchangeOf<C, D>(head, this.peer);
    // What a loop that was held up reads now must not be given a time that is over already.
    this.around.clock.now = exchange.startedAt;
    this.exchange = exchange;
    this.closes ||= block.closes;
    this.mode = Mode.Deciding;
    const decision = this.around.handler.decide(exchange, context);
    if (isAsync(decision)) {
      decision.then(
        (decided) => {
          if (this.exchange === exchange) this.guard(() => this.act(exchange, block, decided));
          else discard(decided);
        },
        (error: unknown) => this.faulted(error),
      );
    } else this.act(exchange, block, decision);
  }

  private act(exchange: OpenExchange<C, D>, block: Block, decision: D): void {
    exchange.decision = decision;
    this.body = block.body === 0 ? NO_BODY : new RequestBody(block.body);
    this.mode = block.body === 0 ? Mode.Answering : Mode.Body;
    if (decision.action === 'forward') this.forward(exchange, block, decision);
    else {
      // A body that is here already does not end the connection; the rest of a longer one is not waited for.
      this.takeBody();
      this.respond(exchange, decision);
    }
  }

  private forward(exchange: OpenExchange<C, D>, block: Block, decision: Forward): void {
    if (typeof block.body === 'number' && block.body > decision.maxBodyBytes) {
      this.refuse(413, 'body_too_large');
      return;
    }
    this.forwarding = new Forwarding(this, this.around.pool, exchange, block, decision);
    if (block.body === 0) {
      this.forwarding.start(undefined, true);
      return;
    }
    this.times.bodyBegins();
    if (block.expectsContinue && this.input.isEmpty) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    if (!this.takeBody()) return;
    this.isHeld = true;
    this.forwarding.start(this.body.content, this.body.isEnded);
    if (this.isHeld && this.mode === Mode.Body) this.socket.pause();
  }

  /** @returns false when the request was refused for its body */
  private takeBody(): boolean {
    const { body, exchange } = this;
    const read = this.input.nextOf(body);
    if (read === 'bad') {
      if (exchange?.decision?.action === 'forward') this.refuseBody(400, 'body_malformed');
      return false;
    }
    if (exchange) exchange.bytesIn += read;
    if (body.isEnded && this.mode === Mode.Body) this.mode = Mode.Answering;
    if (exchange?.decision?.action !== 'forward' || body.receivedBytes <= exchange.decision.maxBodyBytes) return true;
    this.mode = Mode.Body;
    this.refuseBody(413, 'body_too_large');
    return false;
  }

  /** An answer that has begun is no place for another one. */
  private refuseBody(status: number, reason: Reason): void {
    if (this.exchange?.status === 0) this.refuse(status, reason);
    else this.broken(reason);
  }

  private readBody(): void {
    if (!this.takeBody()) return;
    const { content, isEnded } = this.body;
    if (!content && !isEnded) return;
    if (this.forwarding?.body(content, isEnded) === false && !isEnded && this.mode === Mode.Body) {
      this.isHeld = true;
      this.socket.pause();
    }
  }

  takeMore(): void {
    this.isHeld = false;
    if (this.mode === Mode.Body && this.socket.isPaused()) this.socket.resume();
  }

  private refuseHead(refused: RefusedHead): void {
    this.exchange = unreadExchange<C, D>(refused, this.peer);
    this.closes = true;
    this.input.take();
    this.mode = Mode.Answering;
    this.refuse(refused.status, refused.reason);
  }

  refuse(status: number, reason: Reason): void {
    const { exchange } = this;
    if (!exchange) return;
    this.forwarding?.abandon();
    this.forwarding = undefined;
    exchange.reason = reason;
    if (reason === 'body_malformed') this.closes = true;
    this.respond(exchange, this.around.handler.refuse(exchange, status));
  }

  private respond(exchange: OpenExchange<C, D>, answer: Answer): void {
    exchange.status = answer.status;
    this.own.send(answer, exchange.method);
  }

  lastLines(hasDate: boolean, endsWithConnection: boolean): string {
    this.endsWithConnection = endsWithConnection;
    // The rest of a body that has no place to go.
    if (endsWithConnection || this.mode === Mode.Body) this.closes = true;
    const date = hasDate ? '' : this.around.clock.date;
    if (this.closes) {
      this.saidClose = true;
      return `${date}Connection: close\r\n`;
    }
    return this.exchange?.minor === 0 ? `${date}Connection: keep-alive\r\n` : date;
  }

  broken(reason: Reason): void {
    if (this.exchange) this.exchange.reason = reason;
    this.forwarding?.abandon();
    this.forwarding = undefined;
    this.destroy();
  }

  answered(): void {
    this.forwarding = undefined;
    this.answers += 1;
    this.conclude();
    if (this.saidClose) {
      this.leave();
      return;
    }
    this.mode = Mode.Head;
    this.idleSince = this.around.clock.now;
    this.times.expectRequest();
    if (this.isReading) return;
    if (!this.input.isEmpty) setImmediate(() => this.guard(() => this.proceed()));
    else if (this.socket.isPaused()) this.socket.resume();
  }

  /** Reads on where reading stopped. */
  private proceed(): void {
    if (this.mode !== Mode.Head || this.socket.destroyed) return;
    this.socket.resume();
    this.readHeads();
  }

  private leave(): void {
    this.mode = Mode.Leaving;
    this.input.take();
    this.times.expectWithin(Number.POSITIVE_INFINITY);
    this.lingering.begin();
  }

  private drained(): void {
    if (this.tunnel) this.tunnel.clientDrained();
    else if (this.own.isUnderWay) this.own.proceed();
    else if (this.forwarding) this.forwarding.clientDrained();
    else if (this.mode === Mode.Head && this.socket.isPaused()) {
      this.times.expectRequest();
      this.proceed();
    }
  }

  switched(connection: UpstreamConnection, first: Buffer): void {
    const { exchange, around } = this;
    if (!exchange) return;
    this.forwarding = undefined;
    const input = this.input.take();
    this.mode = Mode.Tunnel;
    const tunnel: OpenTunnel<C, D> = new OpenTunnel(exchange, this.socket, connection, around, {
      closed: () => {
        around.openTunnels.delete(tunnel);
        this.mode = Mode.Leaving;
        this.tunnel = undefined;
        this.socket.destroySoon();
        this.conclude();
      },
      faulted: (error) => this.faulted(error),
    });
    this.tunnel = tunnel;
    around.openTunnels.add(tunnel);
    around.handler.upgraded?.(tunnel);
    if (first.length > 0) tunnel.received(first);
    if (input) tunnel.fromClient(input);
    if (this.socket.isPaused()) this.socket.resume();
  }

  /** The client closed its side: it has left, since one that waits on cannot be told from one that is gone. */
  private ended(): void {
    if (this.mode === Mode.Tunnel) this.tunnel?.clientEnded();
    else if (this.exchange) this.destroy();
    else this.socket.destroySoon();
  }

  private left(): void {
    const { exchange } = this;
    this.mode = Mode.Leaving;
    this.forwarding?.abandon();
    this.forwarding = undefined;
    this.own.stop();
    this.tunnel?.close();
    if (exchange && this.exchange) {
      if (exchange.status === 0) exchange.status = CLIENT_GONE;
      exchange.reason ??= 'client_gone';
    }
    this.around.left(this);
    this.conclude();
  }

  /** The exchange is over; it is told once. */
  private conclude(): void {
    const { exchange } = this;
    if (!exchange) return;
    this.exchange = undefined;
    exchange.bytesOut += this.output.takeCount();
    exchange.durationMs = steadyNow() - exchange.startedAt;
    this.around.handler.ended(exchange);
  }

  /** @param elapsedMs that the edge could have been reading since the last tick */
  tick(elapsedMs: number): void {
    this.guard(() => {
      if (this.times.isStalled(this.socket)) this.broken('client_stalled');
      else if (this.isRevoked) this.broken('revoked');
      else if (this.mode === Mode.Body) this.limitBody(elapsedMs);
      else if (this.times.isOver) this.timeOut();
    });
  }

  /** Its answer is on its way, and whoever asks for it now would get none. */
  private get isRevoked(): boolean {
    const { exchange, forwarding } = this;
    const { clock, limits, handler } = this.around;
    if (!forwarding || !exchange || exchange.status === 0) return false;
    return clock.now - exchange.startedAt > limits.judgedAnewMs && handler.mayGoOn?.(exchange) === false;
  }

  private limitBody(elapsedMs: number): void {
    if (this.isHeld || !this.times.isBodyTooSlow(this.body.receivedBytes, elapsedMs)) return;
    this.refuseBody(408, 'body_timeout');
  }

  private timeOut(): void {
    // A client that still takes its answers may have asked on behind them.
    if (this.mode === Mode.Head && !this.isIdle) return;
    if (this.mode === Mode.Leaving || (this.mode === Mode.Head && this.input.isBetween)) this.socket.destroySoon();
    else if (this.mode === Mode.Head)
      this.refuseHead({ status: 408, reason: 'head_timeout', text: this.input.take()?.toString('latin1') ?? '' });
  }
}
