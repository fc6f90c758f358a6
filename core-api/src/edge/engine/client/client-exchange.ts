import type { Socket } from 'node:net';
import { monotonicNow } from '../clock';
import type { ConnectionContext } from '../connection-context';
import type { MutableExchange } from '../message/exchange';
import { RequestBody } from '../message/request-body';
import type { HeaderBlock } from '../message/request-head';
import type { RequestHead } from '../message/request-reader';
import { WebSocketTunnel } from '../tunnel/tunnel';
import { CLIENT_GONE, type Decision, type FailureReason, type Forward, type LocalReply } from '../types';
import { Forwarding } from '../upstream/forwarding';
import type { UpstreamConnection } from '../upstream/upstream-connection';
import type { ClientInput } from './client-input';
import type { ClientOutput } from './client-output';
import type { ClientTimeouts } from './client-timeouts';
import type { ForwardingDownstream, ResponseEnding } from './downstream';
import type { KeepAlive } from './keep-alive';
import { LocalReplyWriter } from './local-reply-writer';

enum ExchangeState {
  /** The handler has not decided yet. */
  Deciding,
  /** The next bytes belong to the request body. */
  Body,
  /** The request is complete; its response is not. */
  Responding,
  Tunnel,
  Ended,
}

const NO_BODY = new RequestBody(0);

/** Closes the body of a reply that cannot be sent, because the client has disconnected. */
function closeUnsentBody(decision: Decision): void {
  if (decision.action === 'reply' && typeof decision.body === 'object' && 'close' in decision.body)
    decision.body.close();
}

/** The parts of a client connection that its exchanges use. */
export interface ExchangeConnection {
  readonly socket: Socket;
  readonly input: ClientInput;
  readonly output: ClientOutput;
  readonly keepAlive: KeepAlive;
  readonly timeouts: ClientTimeouts;
  /** Continues with the input in the next turn of the event loop. */
  scheduleRead(): void;
  /** Calls `handle`; an exception ends this connection and nothing else. */
  guard(handle: () => void): void;
  fail(error: unknown): void;
  destroy(): void;
  onResponseEnded(): void;
  onTunnelClosed(): void;
}

/** One request of a client connection and its response, from the parsed head to the last byte. */
export class ClientExchange implements ForwardingDownstream {
  private state = ExchangeState.Deciding;
  private body = NO_BODY;
  /** True while the reading of the body is paused, until `resumeBody`. */
  private isBodyPaused = false;
  private forwarding: Forwarding | undefined;
  private localReply: LocalReplyWriter | undefined;
  private tunnel: WebSocketTunnel | undefined;

  constructor(
    private readonly connection: ExchangeConnection,
    private readonly context: ConnectionContext<never>,
    readonly record: MutableExchange,
  ) {}

  get output(): ClientOutput {
    return this.connection.output;
  }

  get isTunnel(): boolean {
    return this.state === ExchangeState.Tunnel;
  }

  /** Asks the handler for a decision, and carries it out. */
  begin({ block, parsedHeaders }: RequestHead): void {
    const result = this.context.handler.decide(this.record, parsedHeaders);
    if (!(result instanceof Promise)) {
      this.carryOut(block, result);
      return;
    }
    result.then(
      (decision) => {
        if (this.state === ExchangeState.Ended) closeUnsentBody(decision);
        else this.connection.guard(() => this.carryOut(block, decision));
      },
      (error: unknown) => this.fail(error),
    );
  }

  private carryOut(block: HeaderBlock, decision: Decision): void {
    this.record.decision = decision;
    this.body = block.bodyLength === 0 ? NO_BODY : new RequestBody(block.bodyLength);
    this.state = block.bodyLength === 0 ? ExchangeState.Responding : ExchangeState.Body;
    if (decision.action === 'forward') this.forward(block, decision);
    else {
      // A body that has arrived completely is skipped. After an incomplete body, the connection ends with the reply.
      this.readBodyBytes();
      this.respond(decision);
    }
  }

  private forward(block: HeaderBlock, decision: Forward): void {
    if (typeof block.bodyLength === 'number' && block.bodyLength > decision.maxBodyBytes) {
      this.refuse(413, 'body_too_large');
      return;
    }
    const { input, socket, timeouts } = this.connection;
    this.forwarding = new Forwarding(this, this.context.pool, this.record, block, decision);
    if (block.bodyLength === 0) {
      this.forwarding.start(undefined, true);
      return;
    }
    timeouts.startBody();
    if (block.expectsContinue && input.isEmpty) socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    if (!this.readBodyBytes()) return;
    this.isBodyPaused = true; // `start` calls `resumeBody` if it can send the body now.
    this.forwarding.start(this.body.content, this.body.isEnded);
    if (this.state === ExchangeState.Body && this.isBodyPaused) socket.pause();
  }

  receive(bytes: Buffer): void {
    const { input } = this.connection;
    if (this.state === ExchangeState.Tunnel) this.tunnel?.onClientData(bytes);
    else if (this.state === ExchangeState.Body) {
      input.append(bytes);
      this.readBody();
    } else input.appendPipelined(bytes);
  }

  /** Reads body bytes from the input. @returns false for a malformed body, or for a forwarded body that is too long */
  private readBodyBytes(): boolean {
    const { body, record } = this;
    const read = this.connection.input.readBody(body);
    if (read === 'bad') {
      if (record.decision?.action === 'forward') this.refuseBody(400, 'body_malformed');
      return false;
    }
    record.bytesIn += read;
    if (body.isEnded && this.state === ExchangeState.Body) this.state = ExchangeState.Responding;
    if (record.decision?.action !== 'forward' || body.receivedBytes <= record.decision.maxBodyBytes) return true;
    // With the state `Body`, the refusal closes the connection, even if the body has just ended.
    this.state = ExchangeState.Body;
    this.refuseBody(413, 'body_too_large');
    return false;
  }

  /** Refuses the request, or destroys the connection if the response has already begun. */
  private refuseBody(status: number, reason: FailureReason): void {
    if (this.record.status === 0) this.refuse(status, reason);
    else this.abort(reason);
  }

  private readBody(): void {
    if (!this.readBodyBytes()) return;
    const { content, isEnded } = this.body;
    const { input, socket } = this.connection;
    const acceptsMore = (!content && !isEnded) || this.forwarding?.sendBody(content, isEnded) !== false;
    if (isEnded || this.state !== ExchangeState.Body || (acceptsMore && input.isEmpty)) return;
    this.isBodyPaused = true;
    socket.pause();
    if (acceptsMore) this.connection.scheduleRead();
  }

  resumeBody(): void {
    const { input, socket } = this.connection;
    if (this.state !== ExchangeState.Body || socket.destroyed) return;
    this.isBodyPaused = false;
    // A read stops after a limited number of chunks. The rest of the input is read before the socket is resumed.
    if (!input.isEmpty) this.readBody();
    if (!this.isBodyPaused && socket.isPaused()) socket.resume();
  }

  refuse(status: number, reason: FailureReason): void {
    if (this.state === ExchangeState.Ended) return;
    this.abandonForwarding();
    this.record.reason = reason;
    if (reason === 'body_malformed') this.connection.keepAlive.closeAfterResponse();
    this.respond(this.context.handler.refuse(this.record, status));
  }

  private respond(reply: LocalReply): void {
    this.record.status = reply.status;
    this.localReply = new LocalReplyWriter(this);
    this.localReply.send(reply, this.record.method);
  }

  createFinalHeaderLines({ hasDate, endsWithConnection }: ResponseEnding): string {
    const { keepAlive } = this.connection;
    // If the connection stayed open, the rest of the request body would be read as the next request.
    if (this.state === ExchangeState.Body) keepAlive.closeAfterResponse();
    const date = hasDate ? '' : this.context.clock.date;
    return date + keepAlive.decideConnectionLine(this.record.minorVersion, endsWithConnection);
  }

  onResponseEnded(): void {
    this.forwarding = undefined;
    this.end();
    this.connection.onResponseEnded();
  }

  upgrade(connection: UpstreamConnection, firstBytes: Buffer): void {
    if (this.state === ExchangeState.Ended) return;
    const { input, socket } = this.connection;
    this.forwarding = undefined;
    const received = input.takeAll();
    this.state = ExchangeState.Tunnel;
    const tunnel: WebSocketTunnel = new WebSocketTunnel(this.record, socket, connection, this.context, {
      onClosed: () => {
        this.context.openTunnels.delete(tunnel);
        this.connection.onTunnelClosed();
        this.end();
      },
      onFault: (error) => this.fail(error),
    });
    this.tunnel = tunnel;
    this.context.openTunnels.add(tunnel);
    this.context.handler.onTunnelOpened?.(tunnel);
    if (firstBytes.length > 0) tunnel.onData(firstBytes);
    if (received) tunnel.onClientData(received);
    if (socket.isPaused()) socket.resume();
  }

  abort(reason: FailureReason): void {
    this.record.reason = reason;
    this.abandonForwarding();
    this.connection.destroy();
  }

  fail(error: unknown): void {
    this.connection.fail(error);
  }

  private abandonForwarding(): void {
    this.forwarding?.abandon();
    this.forwarding = undefined;
  }

  onClientDrain(): void {
    if (this.tunnel) this.tunnel.onClientDrain();
    else if (this.localReply?.isStreaming) this.localReply.resume();
    else this.forwarding?.onClientDrain();
  }

  /** Called when the client ends its side. Without a tunnel, the client has probably left, so the exchange ends. */
  onClientEnd(): void {
    if (this.tunnel) this.tunnel.onClientEnd();
    else this.connection.destroy();
  }

  onSocketClosed(): void {
    const { record } = this;
    this.abandonForwarding();
    this.localReply?.stop();
    this.tunnel?.destroy();
    if (this.state === ExchangeState.Ended) return;
    if (record.status === 0) record.status = CLIENT_GONE;
    record.reason ??= 'client_gone';
    this.end();
  }

  /** Completes the exchange and reports it once. */
  private end(): void {
    const { record } = this;
    if (this.state === ExchangeState.Ended) return;
    this.state = ExchangeState.Ended;
    record.bytesOut += this.output.takeByteCount();
    record.durationMs = monotonicNow() - record.startedAt;
    this.context.handler.onExchangeEnded(record);
  }

  /** Ends an exchange that is revoked or whose body is too slow. @param elapsedMs as for `ClientConnection.tick` */
  tick(elapsedMs: number): void {
    if (this.isRevoked) this.abort('revoked');
    else if (this.state === ExchangeState.Body && !this.isBodyPaused) {
      if (this.connection.timeouts.isBodyTooSlow(this.body.receivedBytes, elapsedMs))
        this.refuseBody(408, 'body_timeout');
    }
  }

  /** True if the response is under way and the same request would be refused now. */
  private get isRevoked(): boolean {
    const { record, forwarding } = this;
    const { clock, limits, handler } = this.context;
    if (!forwarding || record.status === 0) return false;
    return clock.now - record.startedAt > limits.reauthorizeAfterMs && handler.isStillAuthorized?.(record) === false;
  }
}
