import { statusLine } from './answer-head';
import type { ClientSide } from './client-side';
import { Sending, type Sink } from './sending';
import type { Answer, ByteSource } from './types';

/** Up to this size a body goes out with its head as one string. */
const SMALL = 15_000;

const isSource = (body: Answer['body']): body is ByteSource => typeof body === 'object' && 'next' in body;

const lengthOf = (body: Answer['body']): number => {
  if (body === undefined) return 0;
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
};

/** Sends the handler's own answers to one client, one after the other. */
export class OwnAnswers implements Sink {
  private sending: Sending | undefined;
  private unsentHead = '';

  constructor(private readonly client: ClientSide) {}

  send({ status, lines, body }: Answer, method: string): void {
    const { client } = this;
    const bodyless = method === 'HEAD' || status === 204 || status === 304;
    const untold = status === 204 || (status === 304 && body === undefined);
    const length = untold ? '' : `Content-Length: ${lengthOf(body)}\r\n`;
    const head = `${statusLine(status)}${lines}${length}${client.lastLines(false, false)}\r\n`;
    if (isSource(body) && !bodyless) {
      this.unsentHead = head;
      this.sending = new Sending(body, this);
      this.sending.proceed();
      return;
    }
    if (isSource(body)) body.close();
    if (bodyless || body === undefined || isSource(body)) client.output.write(head);
    else if (typeof body === 'string') client.output.writeText(head + body);
    else {
      this.unsentHead = head;
      this.piece(Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    }
    client.answered();
  }

  /** A body that is read while it is sent. */
  get isUnderWay(): boolean {
    return this.sending !== undefined;
  }

  /** The client takes more. */
  proceed(): void {
    this.sending?.proceed();
  }

  /** The client has gone. */
  stop(): void {
    this.sending?.stop();
    this.sending = undefined;
  }

  piece(bytes: Buffer): boolean {
    const head = this.unsentHead;
    this.unsentHead = '';
    if (head !== '' && bytes.length <= SMALL) return this.client.output.write(head + bytes.toString('latin1'));
    return this.client.output.writeBytes(head, bytes);
  }

  end(): void {
    if (this.unsentHead !== '') this.client.output.write(this.unsentHead);
    this.unsentHead = '';
    this.sending = undefined;
    this.client.answered();
  }

  short(): void {
    this.client.broken('source_ended');
  }

  failed(error: unknown): void {
    this.client.faulted(error);
  }
}
