import { connect, type Socket } from 'node:net';
import { guardedLookup } from '../forward/guarded-lookup';
import type { Upstream } from '../forward/upstream';
import { type AnswerHead, readAnswerHead } from './answer-head';
import { Chunks } from './chunks';
import type { UpstreamPool } from './upstream-pool';

const CONNECT_TIMEOUT = 5_000;
const FIRST_BYTE_TIMEOUT = 60_000;
const IDLE_TIMEOUT = 5 * 60_000;
const LARGEST_HEAD = 32 * 1024;
/** Answers up to this size go to the client as one string, head included: one write, no copies in JavaScript. */
const SMALL = 15_000;

/**
 * What any upstream sends is read into this one buffer, without an allocation per read; an answer of 64 KiB fits.
 * Whatever outlives the call that gets it is copied.
 */
const shared = Buffer.allocUnsafeSlow(128 * 1024);

/** Who waits for an answer. */
export interface Receiver {
  readonly isHead: boolean;
  /** The whole request has been sent. */
  readonly isSent: boolean;
  /** A complete answer with a body of known length, as Latin-1 text. */
  whole(head: AnswerHead, body: string): void;
  /** @param bodyless there is no body, whatever the head says */
  start(head: AnswerHead, bodyless: boolean): void;
  /** @returns false when the client reads too slowly: no more until `resume` */
  piece(bytes: Buffer): boolean;
  end(): void;
  /** @param untouched the connection had been idle and ended before a byte of the answer came */
  failed(status: 502 | 504, untouched: boolean): void;
  /** The upstream reads on. */
  drained(): void;
}

/** One keep-alive connection; it serves one exchange at a time. */
export class UpstreamConnection {
  readonly socket: Socket;
  /** When the present step must have ended, in ms since the epoch. */
  deadline: number;
  /** When its last exchange ended, likewise. */
  usedAt = 0;
  private receiver: Receiver | undefined;
  private reused = false;
  /** A byte of the present answer has come. */
  private answered = false;
  private partial: Buffer | undefined;
  private head: AnswerHead | undefined;
  private left = 0;
  private chunks: Chunks | undefined;
  /** The last head: upstreams repeat themselves. */
  private knownText = '';
  private knownHead: AnswerHead | undefined;

  constructor(
    private readonly pool: UpstreamPool,
    readonly upstream: Upstream,
  ) {
    this.deadline = pool.now + CONNECT_TIMEOUT;
    this.socket = connect({
      host: upstream.host,
      port: upstream.port,
      lookup: guardedLookup,
      noDelay: true,
      keepAlive: true,
      onread: {
        buffer: shared,
        callback: (size) => {
          this.receive(shared.subarray(0, size));
          return true;
        },
      },
    });
    this.socket.once('connect', () => {
      this.deadline = pool.now + FIRST_BYTE_TIMEOUT;
    });
    this.socket.on('drain', () => this.receiver?.drained());
    this.socket.once('end', () => this.ended());
    this.socket.on('error', () => this.fail(502));
    this.socket.once('close', () => {
      this.fail(502);
      pool.forget(this);
    });
  }

  /** Takes the connection; the caller then writes the request to `socket`. */
  begin(receiver: Receiver): void {
    this.receiver = receiver;
    this.head = undefined;
    this.answered = false;
    if (!this.socket.connecting) this.deadline = this.pool.now + FIRST_BYTE_TIMEOUT;
  }

  /** Part of the request's body was sent. */
  progressed(): void {
    this.deadline = this.pool.now + FIRST_BYTE_TIMEOUT;
  }

  /** The client is gone. */
  abandon(): void {
    this.receiver = undefined;
    this.socket.destroy();
  }

  timeOut(): void {
    this.fail(504);
    this.socket.destroy();
  }

  private fail(status: 502 | 504): void {
    const { receiver } = this;
    if (!receiver) return;
    this.receiver = undefined;
    this.socket.destroy();
    receiver.failed(status, this.reused && !this.answered);
  }

  private ended(): void {
    if (this.receiver && this.head?.framing === 'close' && this.left > 0) this.finish(false);
    else this.fail(502);
    this.socket.destroy();
  }

  private receive(bytes: Buffer): void {
    this.answered = true;
    if (!this.receiver) this.socket.destroy();
    else if (this.head) this.receiveBody(this.receiver, bytes, 0);
    else this.receiveHead(this.receiver, bytes);
  }

  private receiveHead(receiver: Receiver, bytes: Buffer): void {
    const buffer = this.partial ? Buffer.concat([this.partial, bytes]) : bytes;
    const text = buffer.toString('latin1', 0, LARGEST_HEAD);
    let start = 0;
    let end = 0;
    let head: AnswerHead | undefined;
    do {
      end = text.indexOf('\r\n\r\n', start);
      if (end < 0) {
        this.partial = Buffer.from(buffer.subarray(start));
        if (this.partial.length >= LARGEST_HEAD) this.fail(502);
        return;
      }
      head = this.read(text.slice(start, end));
      // Interim answers are not passed on; a change of protocol was not asked for.
      if (!head || head.status === 101) {
        this.fail(502);
        return;
      }
      start = end + 4;
    } while (head.status < 200);
    this.partial = undefined;

    const bodyless = receiver.isHead || head.status === 204 || head.status === 304;
    const length = bodyless ? 0 : typeof head.framing === 'number' ? head.framing : -1;
    if (length >= 0 && buffer.length - start > length) {
      this.fail(502);
      return;
    }
    this.head = head;
    this.deadline = this.pool.now + IDLE_TIMEOUT;
    if (length >= 0 && buffer.length - start === length && buffer.length <= SMALL) {
      const persistent = this.settle(head.persistent && receiver.isSent);
      receiver.whole(head, text.slice(start));
      if (persistent) return;
      this.socket.destroy();
      return;
    }
    this.left = length >= 0 ? length : Number.POSITIVE_INFINITY;
    this.chunks = !bodyless && head.framing === 'chunked' ? new Chunks() : undefined;
    receiver.start(head, bodyless);
    this.receiveBody(receiver, buffer, start);
  }

  private read(text: string): AnswerHead | undefined {
    if (text !== this.knownText) {
      this.knownHead = readAnswerHead(text);
      this.knownText = text;
    }
    return this.knownHead;
  }

  private receiveBody(receiver: Receiver, received: Buffer, start: number): void {
    this.deadline = this.pool.now + IDLE_TIMEOUT;
    const bytes = Buffer.from(received);
    let flows = true;
    const pass = (piece: Buffer) => {
      flows = receiver.piece(piece) && flows;
    };
    if (this.chunks) {
      const end = this.chunks.read(bytes, start, pass);
      if (end === 'bad' || (typeof end === 'number' && end < bytes.length)) {
        this.fail(502);
        return;
      }
      if (end !== 'more') {
        this.finish(true);
        return;
      }
    } else {
      const here = bytes.length - start;
      if (here > this.left) {
        this.fail(502);
        return;
      }
      if (here > 0) pass(start === 0 ? bytes : bytes.subarray(start));
      this.left -= here;
      if (this.left === 0) {
        this.finish(true);
        return;
      }
    }
    if (!flows && this.receiver) this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  private finish(reusable: boolean): void {
    const { receiver, head } = this;
    if (!receiver || !head) return;
    const kept = this.settle(reusable && head.persistent && receiver.isSent);
    receiver.end();
    if (!kept) this.socket.destroy();
  }

  /** The exchange is over. @returns whether the connection went back to the pool */
  private settle(reusable: boolean): boolean {
    const { head } = this;
    this.receiver = undefined;
    this.head = undefined;
    this.chunks = undefined;
    this.reused = true;
    if (!reusable || !head || head.idle <= 0) return false;
    this.socket.resume();
    this.usedAt = this.pool.now;
    this.deadline = this.pool.now + head.idle;
    this.pool.release(this);
    return true;
  }
}
