import { type BodySink, BodyStreamer } from '../message/body-streamer';
import { formatStatusLine } from '../message/response-head';
import type { ByteSource, LocalReply } from '../types';
import type { Downstream } from './downstream';

/** Body bytes of up to this size are sent together with the head as one string. */
const MAX_COMBINED_BYTES = 15_000;

const isSource = (body: LocalReply['body']): body is ByteSource => typeof body === 'object' && 'next' in body;

const countBytes = (body: LocalReply['body']): number => {
  if (body === undefined) return 0;
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
};

export class LocalReplyWriter implements BodySink {
  private streamer: BodyStreamer | undefined;
  private unsentHead = '';

  constructor(private readonly client: Downstream) {}

  send({ status, headerLines, body }: LocalReply, method: string): void {
    const { client } = this;
    const isBodyless = body === undefined || method === 'HEAD' || status === 204 || status === 304;
    const omitsLength = status === 204 || (status === 304 && body === undefined);
    const length = omitsLength ? '' : `Content-Length: ${countBytes(body)}\r\n`;
    const head = `${formatStatusLine(status)}${headerLines}${length}${client.createFinalHeaderLines({ hasDate: false, endsWithConnection: false })}\r\n`;
    if (isBodyless) {
      if (isSource(body)) body.close();
      client.output.write(head);
    } else if (typeof body === 'string') client.output.writeText(head + body);
    else if (isSource(body)) {
      this.unsentHead = head;
      this.streamer = new BodyStreamer(body, this);
      this.streamer.resume();
      return;
    } else {
      this.unsentHead = head;
      this.onData(Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    }
    client.onResponseEnded();
  }

  get isStreaming(): boolean {
    return this.streamer !== undefined;
  }

  /** Continues a streamed body after a `drain` event. */
  resume(): void {
    this.streamer?.resume();
  }

  /** Stops a streamed body, because the client has disconnected. */
  stop(): void {
    this.streamer?.stop();
    this.streamer = undefined;
  }

  onData(bytes: Buffer): boolean {
    const head = this.unsentHead;
    this.unsentHead = '';
    if (head !== '' && bytes.length <= MAX_COMBINED_BYTES)
      return this.client.output.write(head + bytes.toString('latin1'));
    return this.client.output.writeBytes(head, bytes);
  }

  onEnd(): void {
    if (this.unsentHead !== '') this.client.output.write(this.unsentHead);
    this.unsentHead = '';
    this.streamer = undefined;
    this.client.onResponseEnded();
  }

  onWrongLength(): void {
    this.client.abort('source_ended');
  }

  onError(error: unknown): void {
    this.client.fail(error);
  }
}
