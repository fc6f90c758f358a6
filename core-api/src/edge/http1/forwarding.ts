import type { AnswerHead } from './answer-head';
import type { ForwardingClient } from './client-side';
import { corkTurn, type Writer } from './cork-turn';
import { type OpenExchange, steadyNow } from './exchange';
import { readFields, requestHops } from './fields';
import { writeLent } from './lent-bytes';
import type { Origin, Pool, Waiter } from './pool';
import type { Block } from './request-head';
import type { AnswerEdit, Decision, Forward, Reason } from './types';
import type { UpstreamConnection } from './upstream-connection';
import type { Phase, Receiver } from './upstream-roles';

/** Safe to send again: nothing happens twice and there is no body that is gone (RFC 9110 §9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Trailers that would change how a message is read or who it is about (RFC 9110 §6.5.1). */
const NEVER_TRAILERS = new Set([
  'content-encoding',
  'content-range',
  'content-type',
  'authorization',
  'set-cookie',
  'date',
]);

const statusOf = (reason: Reason): number => {
  if (reason === 'queue_full' || reason === 'queue_timeout') return 503;
  return reason === 'connect_timeout' || reason === 'upstream_timeout' ? 504 : 502;
};

/** One request on its way to an upstream, and the answer on its way back. */
export class Forwarding<C, D extends Decision> implements Receiver, Waiter, Writer {
  readonly isHead: boolean;
  readonly asksForWebSocket: boolean;
  /** The whole body has been handed on. */
  isSent = false;
  private connection: UpstreamConnection | undefined;
  private origin: Origin | undefined;
  private readonly tried: Origin[] = [];
  private readonly isRepeatable: boolean;
  /** Sent to the present instance on a fresh connection after a stale one. */
  private wasRepeated = false;
  /** The request's head and what has come of its body wait for a connection. */
  private held: Buffer | undefined;
  private isSending = false;
  private sentAt = 0;
  /** The answer's body goes out in chunks. */
  private isChunked = false;
  /** The answer's head, until the first bytes of its body go with it. */
  private unsentHead = '';

  constructor(
    private readonly client: ForwardingClient,
    private readonly pool: Pool,
    private readonly exchange: OpenExchange<C, D>,
    private readonly block: Block,
    private readonly forward: Forward,
  ) {
    this.isHead = exchange.method === 'HEAD';
    this.asksForWebSocket = exchange.upgrade;
    this.isRepeatable = exchange.body === 0 && REPEATABLE.has(exchange.method);
  }

  get edit(): AnswerEdit | undefined {
    return this.forward.edit;
  }

  /** @param body what has come of it. @param isSent that is all */
  start(body: Buffer | undefined, isSent: boolean): void {
    this.held = body;
    this.isSent = isSent;
    this.next('connect_failed');
  }

  /** The client has gone, or the exchange was ended for another reason. */
  abandon(): void {
    if (this.connection) this.connection.abandon();
    else if (this.origin) this.pool.withdraw(this.origin, this);
    this.connection = undefined;
    this.origin = undefined;
  }

  get isWaiting(): boolean {
    return this.origin !== undefined && this.connection === undefined;
  }

  get mayMove(): boolean {
    return this.pool.hasRoomAmong(this.forward.upstreams, this.tried);
  }

  /** @param reason why there is no way but the ones that were not tried yet */
  private next(reason: Reason): void {
    const { upstreams } = this.forward;
    const origin = this.pool.choose(upstreams, this.tried, this.isRepeatable, reason === 'queue_full');
    this.origin = origin;
    if (!origin) {
      this.client.refuse(statusOf(reason), reason);
      return;
    }
    this.exchange.upstream = origin.upstream;
    this.wasRepeated = false;
    this.pool.acquire(origin, this, this.isRepeatable);
  }

  granted(connection: UpstreamConnection): void {
    // The event may be another connection's, that made room.
    try {
      this.connection = connection;
      connection.begin(this);
      if (connection.isConnected) this.send(connection);
    } catch (error) {
      this.client.faulted(error);
    }
  }

  notGranted(reason: Reason): void {
    const { origin } = this;
    this.origin = undefined;
    try {
      if (origin && reason === 'queue_full') this.goOn(origin, reason);
      else this.client.refuse(statusOf(reason), reason);
    } catch (error) {
      this.client.faulted(error);
    }
  }

  connected(): void {
    if (this.connection) this.send(this.connection);
  }

  private send(connection: UpstreamConnection): void {
    const { exchange, forward, block, held } = this;
    const upgrade = exchange.upgrade ? 'Connection: Upgrade\r\nUpgrade: websocket\r\n' : '';
    const trailers = block.asksForTrailers && !exchange.upgrade ? 'TE: trailers\r\nConnection: TE\r\n' : '';
    const host = forward.namesUpstream ? `Host: ${connection.upstream.authority}\r\n` : '';
    const head = `${exchange.method} ${forward.path} HTTP/1.1\r\n${host}${forward.lines}${block.framing}${upgrade}${trailers}\r\n`;
    this.isSending = true;
    this.held = undefined;
    // What cannot be sent again goes out while its connection is known to be open.
    if (this.isRepeatable) corkTurn(connection.socket, this);
    else this.written(steadyNow());
    const flows = this.writeBody(connection, head, held);
    if (!this.isSent && flows) this.client.takeMore();
  }

  written(now: number): void {
    // Its connection has failed in the same turn, and it waits for another one.
    if (!this.isSending) return;
    this.sentAt = now;
    this.connection?.written(now, this.forward.timeoutMs);
  }

  /** @returns false: no more until `takeMore` */
  body(bytes: Buffer | undefined, isSent: boolean): boolean {
    this.isSent = isSent;
    const { connection } = this;
    if (!connection || !this.isSending) {
      if (bytes) this.held = this.held ? Buffer.concat([this.held, bytes]) : bytes;
      return false;
    }
    connection.written(steadyNow(), this.forward.timeoutMs);
    return this.writeBody(connection, '', bytes);
  }

  private writeBody({ socket }: UpstreamConnection, head: string, bytes: Buffer | undefined): boolean {
    let [before, after] = [head, ''];
    if (this.exchange.body === 'chunked') {
      if (bytes) [before, after] = [`${head}${bytes.length.toString(16)}\r\n`, '\r\n'];
      if (this.isSent) after += '0\r\n\r\n';
    }
    if (!bytes) return before + after === '' || socket.write(before + after, 'latin1');
    return before + after === '' ? socket.write(bytes) : writeLent(socket, before, bytes, after);
  }

  drained(): void {
    if (this.isSent) return;
    this.connection?.expectWithin(this.forward.timeoutMs);
    this.client.takeMore();
  }

  /** The client takes more of the answer. */
  clientDrained(): void {
    this.connection?.resume();
  }

  private answering({ status }: AnswerHead): void {
    this.exchange.status = status;
    this.exchange.upstreamMs = steadyNow() - this.sentAt;
  }

  whole(head: AnswerHead, body: string): void {
    this.connection = undefined;
    this.answering(head);
    const lastLines = this.client.lastLines(head.hasDate, false);
    this.client.output.write(`${head.lines}${this.forward.answerLines}${lastLines}\r\n${body}`);
    this.client.answered();
  }

  begun(head: AnswerHead, bodyless: boolean): void {
    this.answering(head);
    const unframed = !bodyless && typeof head.framing !== 'number';
    this.isChunked = unframed && this.exchange.minor === 1;
    const framing = this.isChunked ? 'Transfer-Encoding: chunked\r\n' : '';
    const trailerLines = this.passesTrailers ? head.trailerLines : '';
    const lastLines = this.client.lastLines(head.hasDate, unframed && !this.isChunked);
    this.unsentHead = `${head.lines}${framing}${trailerLines}${this.forward.answerLines}${lastLines}\r\n`;
  }

  private get passesTrailers(): boolean {
    return this.isChunked && this.block.asksForTrailers;
  }

  piece(bytes: Buffer): boolean {
    return this.isChunked ? this.write(`${bytes.length.toString(16)}\r\n`, bytes, '\r\n') : this.write('', bytes, '');
  }

  flush(): void {
    if (this.unsentHead !== '') this.write('', undefined, '');
  }

  end(bytes: Buffer | undefined, trailers: string): void {
    this.connection = undefined;
    if (this.isChunked) {
      const last = `0\r\n${this.passesTrailers ? this.passable(trailers) : ''}\r\n`;
      if (bytes) this.write(`${bytes.length.toString(16)}\r\n`, bytes, `\r\n${last}`);
      else this.write(last, undefined, '');
    } else if (bytes || this.unsentHead !== '') this.write('', bytes, '');
    this.client.answered();
  }

  private passable(trailers: string): string {
    let lines = '';
    for (const { name, value, line, hop } of readFields(trailers, requestHops) ?? []) {
      if (!hop && !NEVER_TRAILERS.has(name)) lines += this.forward.edit ? this.forward.edit(name, value, line) : line;
    }
    return lines;
  }

  /** One write for what belongs together. */
  private write(before: string, bytes: Buffer | undefined, after: string): boolean {
    const start = this.unsentHead + before;
    this.unsentHead = '';
    return bytes ? this.client.output.writeLent(start, bytes, after) : this.client.output.write(start + after);
  }

  switched(head: AnswerHead, first: Buffer): void {
    const { connection } = this;
    if (!connection) return;
    if (!this.pool.becomeLong(connection)) {
      this.abandon();
      this.client.refuse(503, 'too_many_connections');
      return;
    }
    this.answering(head);
    this.client.output.write(
      `${head.lines}Connection: Upgrade\r\nUpgrade: websocket\r\n${this.forward.answerLines}\r\n`,
    );
    this.client.switched(connection, first);
  }

  failed(reason: Reason, phase: Phase): void {
    const { exchange, origin } = this;
    this.connection = undefined;
    if (exchange.status !== 0 && this.unsentHead === '') {
      this.client.broken(reason);
      return;
    }
    this.unsentHead = '';
    exchange.status = 0;
    this.isSending = false;
    if (phase === 'stale' && origin && this.isRepeatable && !this.wasRepeated) {
      this.wasRepeated = true;
      // It is counted until its end, which comes later: the second one may exceed the limit by one for a moment.
      this.pool.openFor(origin, this);
    } else if (origin && this.mayGoOn(phase)) this.goOn(origin, reason);
    else this.client.refuse(statusOf(reason), reason);
  }

  /** To an instance that was not tried yet. */
  private goOn(from: Origin, reason: Reason): void {
    this.tried.push(from);
    this.next(reason);
  }

  /** Another instance may have the request. */
  private mayGoOn(phase: Phase): boolean {
    // Not a byte of it went out, whatever it is.
    if (phase === 'connect') return true;
    // An instance ends, with its port, connections that it never accepted. That cannot be told from one that fell over it.
    return this.isRepeatable && phase !== 'answer';
  }

  faulted(error: unknown): void {
    this.connection = undefined;
    this.client.faulted(error);
  }
}
