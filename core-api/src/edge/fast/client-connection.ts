import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ClientAddress, clientAddress } from '../forward/client-address';
import { CLIENT_GONE } from '../metrics';
import type { AnswerHead } from './answer-head';
import type { FastLane } from './fast-lane';
import type { Plan } from './plan';
import { type RequestFields, readRequestFields, readRequestHead } from './request-head';
import type { Receiver, UpstreamConnection } from './upstream-connection';

const LARGEST_HEAD = 16 * 1024;
/** Up to this size a request goes out as one string. */
const SMALL = 15_000;
const SAFE_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);
const MOST_PIPELINED = 64 * 1024;
const LINGER = 2_000;

/** What a header block means on this connection: clients send the same one again and again. */
interface Known {
  block: string;
  fields: RequestFields;
  client: ClientAddress;
  /** All lines for the upstream but Host, the request's id and those of the target. */
  lines: string;
  requestId: string | undefined;
}

interface Exchange {
  plan: Plan;
  method: string;
  target: string;
  known: Known;
  requestId: string;
  /** In ms, of the monotonic clock. */
  started: number;
  counted: ((status: number, durationMs: number) => void) | undefined;
  status: number;
  /** The answer's body goes out in chunks. */
  chunked: boolean;
  /** The whole request, while it may be sent once more. */
  again: string | undefined;
}

/** A client's connection, until a request comes that the general path must handle: then it is handed over for good. */
export class ClientConnection implements Receiver {
  /** When the connection is closed if nothing happens, in ms since the epoch. */
  deadline: number;
  isHead = false;
  private known: Known | undefined;
  private exchange: Exchange | undefined;
  private upstream: UpstreamConnection | undefined;
  /** Bytes of the request's body that have not come yet. */
  private bodyLeft = 0;
  /** Came after the present request. */
  private pending: Buffer | undefined;
  private closing = false;
  private readonly onData = (bytes: Buffer) => this.receive(bytes);
  private readonly onDrain = () => this.upstream?.resume();
  private readonly onEnd = () => (this.exchange ? this.leave() : this.close());
  private readonly onError = () => this.socket.destroy();
  private readonly onClose = () => this.leave();

  constructor(
    private readonly lane: FastLane,
    private readonly socket: Socket,
  ) {
    this.deadline = lane.pool.now + lane.firstRequestTimeout;
    socket.on('data', this.onData).on('drain', this.onDrain).on('end', this.onEnd);
    socket.on('error', this.onError).on('close', this.onClose);
  }

  get isBusy(): boolean {
    return this.exchange !== undefined;
  }

  get isSent(): boolean {
    return this.bodyLeft === 0;
  }

  /** Ends now if idle, else after the answer. */
  drain(): void {
    this.closing = true;
    if (!this.exchange) this.close();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private close(): void {
    this.closing = true;
    this.deadline = this.lane.pool.now + LINGER;
    this.socket.end();
    this.socket.resume();
  }

  /** The client went away: what is left of its request or answer is of no use. */
  private leave(): void {
    this.lane.connections.delete(this);
    this.upstream?.abandon();
    this.upstream = undefined;
    this.conclude(this.exchange?.status || CLIENT_GONE);
    this.socket.destroy();
  }

  private receive(bytes: Buffer): void {
    if (this.closing && !this.exchange) return;
    if (!this.exchange) this.read(this.pending ? Buffer.concat([this.pending, bytes]) : bytes);
    else if (this.bodyLeft > 0) this.upload(bytes);
    else this.keep(bytes);
  }

  /** Pipelined: read when the present request has been answered. */
  private keep(bytes: Buffer): void {
    this.pending = this.pending ? Buffer.concat([this.pending, bytes]) : bytes;
    // Reading on is what notices that the client has gone.
    if (this.pending.length > MOST_PIPELINED) this.socket.pause();
  }

  private upload(bytes: Buffer): void {
    const own = bytes.length > this.bodyLeft ? bytes.subarray(0, this.bodyLeft) : bytes;
    this.bodyLeft -= own.length;
    this.upstream?.progressed();
    if (this.upstream && !this.upstream.socket.write(own)) this.socket.pause();
    if (own.length < bytes.length) this.keep(bytes.subarray(own.length));
  }

  drained(): void {
    if (this.bodyLeft > 0) this.socket.resume();
  }

  /** One request from its first byte. */
  private read(buffer: Buffer): void {
    this.pending = undefined;
    const head = readRequestHead(buffer.toString('latin1', 0, LARGEST_HEAD));
    const known = head && this.recognise(head.block);
    const plan = known && this.lane.plan(head.method, head.target, known.fields, known.client);
    if (!known || !plan || plan.upstream.tls) {
      this.handOver(buffer);
      return;
    }
    const { method, target } = head;
    const requestId = known.requestId ?? randomUUID();
    this.exchange = {
      plan,
      method,
      target,
      known,
      requestId,
      started: performance.now(),
      counted: plan.keyId === undefined ? undefined : this.lane.usage.count(plan.keyId, Date.now()),
      status: 0,
      chunked: false,
      again: undefined,
    };
    this.isHead = method === 'HEAD';
    this.send(this.exchange, buffer, head.size);
  }

  private recognise(block: string): Known | undefined {
    if (this.known?.block === block) return this.known;
    const fields = readRequestFields(block);
    if (!fields || fields.via.includes(this.lane.mark)) return undefined;
    const client = clientAddress(this.socket.remoteAddress ?? '', fields.forwardedFor, this.lane.isTrusted);
    const proto = client.trusted && fields.forwardedProto.join() === 'https' ? 'https' : 'http';
    const [id = ''] = fields.requestIds;
    this.known = {
      block,
      fields,
      client,
      lines: `${fields.kept}X-Forwarded-For: ${client.forwardedFor}\r\nX-Forwarded-Proto: ${proto}\r\nX-Forwarded-Host: ${fields.host}\r\nVia: 1.1 ${this.lane.mark}\r\n`,
      requestId: fields.requestIds.length === 1 && SAFE_ID.test(id) ? id : undefined,
    };
    return this.known;
  }

  private send(exchange: Exchange, buffer: Buffer, bodyStart: number): void {
    const { plan, method, known, requestId } = exchange;
    const { contentLength } = known.fields;
    const head = `${method} ${plan.path} HTTP/1.1\r\nHost: ${plan.host}\r\n${known.lines}X-Request-Id: ${requestId}\r\n${plan.extra}\r\n`;
    const bodyEnd = Math.min(buffer.length, bodyStart + contentLength);
    this.bodyLeft = contentLength - (bodyEnd - bodyStart);
    if (bodyEnd < buffer.length) this.keep(buffer.subarray(bodyEnd));
    if (contentLength === 0 && REPEATABLE.has(method)) exchange.again = head;

    const upstream = this.lane.pool.acquire(plan.upstream, exchange.again !== undefined);
    this.upstream = upstream;
    upstream.begin(this);
    const { socket } = upstream;
    if (bodyEnd === bodyStart) socket.write(head, 'latin1');
    else if (bodyEnd - bodyStart < SMALL) socket.write(head + buffer.toString('latin1', bodyStart, bodyEnd), 'latin1');
    else {
      socket.cork();
      socket.write(head, 'latin1');
      if (!socket.write(buffer.subarray(bodyStart, bodyEnd)) && this.bodyLeft > 0) this.socket.pause();
      socket.uncork();
    }
  }

  whole(head: AnswerHead, body: string): void {
    const { exchange } = this;
    if (!exchange) return;
    exchange.status = head.status;
    this.socket.write(`${head.lines}${this.lastLines(exchange)}\r\n${body}`, 'latin1');
    this.finish();
  }

  start(head: AnswerHead, bodyless: boolean): void {
    const { exchange } = this;
    if (!exchange) return;
    exchange.status = head.status;
    exchange.chunked = !bodyless && typeof head.framing !== 'number';
    this.socket.cork();
    const framing = exchange.chunked ? 'Transfer-Encoding: chunked\r\n' : '';
    this.socket.write(`${head.lines}${framing}${this.lastLines(exchange)}\r\n`, 'latin1');
    process.nextTick(() => this.socket.uncork());
  }

  /** An answer that comes before the whole request ends the connection: the rest of the body has no place to go. */
  private lastLines({ requestId, known }: Exchange): string {
    if (known.fields.closes || this.bodyLeft > 0) this.closing = true;
    return this.closing ? `X-Request-Id: ${requestId}\r\nConnection: close\r\n` : `X-Request-Id: ${requestId}\r\n`;
  }

  piece(bytes: Buffer): boolean {
    if (!this.exchange?.chunked) return this.socket.write(bytes);
    this.socket.cork();
    this.socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
    this.socket.write(bytes);
    const flows = this.socket.write('\r\n', 'latin1');
    this.socket.uncork();
    return flows;
  }

  end(): void {
    if (this.exchange?.chunked) this.socket.write('0\r\n\r\n', 'latin1');
    this.finish();
  }

  failed(status: 502 | 504, untouched: boolean): void {
    const { exchange } = this;
    this.upstream = undefined;
    if (!exchange) return;
    if (exchange.status !== 0) {
      this.conclude(exchange.status);
      this.socket.destroy();
      return;
    }
    if (untouched && status === 502 && exchange.again !== undefined) {
      this.upstream = this.lane.pool.open(exchange.plan.upstream);
      this.upstream.begin(this);
      this.upstream.socket.write(exchange.again, 'latin1');
      exchange.again = undefined;
      return;
    }
    exchange.status = status;
    const answer = this.lane.refusal(exchange.plan.kind, status);
    this.socket.write(`${answer.head}${this.lastLines(exchange)}\r\n${this.isHead ? '' : answer.body}`, 'utf8');
    this.finish();
  }

  private finish(): void {
    this.upstream = undefined;
    this.conclude(this.exchange?.status ?? 0);
    this.deadline = this.lane.pool.now + this.lane.idleTimeout;
    if (this.closing) this.close();
    else if (this.pending) setImmediate(() => this.next());
    else if (this.socket.isPaused()) this.socket.resume();
  }

  private next(): void {
    const { pending } = this;
    if (!pending || this.exchange || this.socket.destroyed) return;
    this.socket.resume();
    this.read(pending);
  }

  private conclude(status: number): void {
    const { exchange } = this;
    if (!exchange) return;
    this.exchange = undefined;
    this.isHead = false;
    const { plan, method, target, known, requestId, started, counted } = exchange;
    const milliseconds = performance.now() - started;
    counted?.(status, milliseconds);
    this.lane.metrics.record(plan.kind, status, milliseconds);
    if (this.lane.log.isLevelEnabled('info')) {
      const path = target.split('?')[0];
      const { host } = known.fields;
      this.lane.log.info({ kind: plan.kind, requestId, method, host, path, status, ms: Math.round(milliseconds) });
    }
  }

  /** The general path reads this request from its first byte, and all that follow. */
  private handOver(buffer: Buffer): void {
    this.lane.connections.delete(this);
    this.socket.off('data', this.onData).off('drain', this.onDrain).off('end', this.onEnd);
    this.socket.off('error', this.onError).off('close', this.onClose);
    this.socket.unshift(buffer);
    this.lane.handOver(this.socket);
    this.socket.resume();
  }
}
