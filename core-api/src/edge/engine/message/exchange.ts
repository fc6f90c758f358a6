import { monotonicNow } from '../clock';
import type { Decision, Exchange, FailureReason, Fields, Upstream } from '../types';
import type { HeaderBlock, RequestLine } from './request-head';
import type { RejectedHead } from './request-reader';

/** The parts of a request's head that its exchange needs. */
interface ReceivedHead<C> {
  readonly line: Pick<RequestLine, 'method' | 'target'>;
  readonly block: Pick<HeaderBlock, 'host' | 'minorVersion' | 'fields' | 'body' | 'isWebSocketUpgrade'>;
  readonly context: C | undefined;
  readonly size: number;
}

/** The engine's own, mutable view of an exchange. */
export class MutableExchange<C, D extends Decision> implements Exchange<C, D> {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly minorVersion: 0 | 1;
  readonly fields: Fields;
  readonly body: number | 'chunked';
  readonly isUpgrade: boolean;
  readonly context: C | undefined;
  readonly startedAt = monotonicNow();
  bytesIn: number;
  decision: D | undefined = undefined;
  status = 0;
  reason: FailureReason | undefined = undefined;
  bytesOut = 0;
  upstream: Upstream | undefined = undefined;
  upstreamMs: number | undefined = undefined;
  durationMs = 0;

  constructor(
    { line, block, context, size }: ReceivedHead<C>,
    readonly peer: string,
  ) {
    this.method = line.method;
    this.target = line.target;
    this.host = block.host;
    this.minorVersion = block.minorVersion;
    this.fields = block.fields;
    this.body = block.body;
    this.isUpgrade = block.isWebSocketUpgrade && line.method === 'GET';
    this.context = context;
    this.bytesIn = size;
  }
}

/** Creates the exchange of a rejected head, with the method, target and host that could be recognized. */
export function createUnparsedExchange<C, D extends Decision>(
  { text }: RejectedHead,
  peer: string,
): MutableExchange<C, D> {
  const [, method = '', target = ''] = /^([A-Z]{1,32}) ([^ \r\n]*)/.exec(text) ?? [];
  const [, host = ''] = /\r\nhost:[\t ]*([^\r\n]*)/i.exec(text) ?? [];
  const block = { host, minorVersion: 1, fields: [], body: 0, isWebSocketUpgrade: false } as const;
  return new MutableExchange<C, D>({ line: { method, target }, block, context: undefined, size: text.length }, peer);
}
