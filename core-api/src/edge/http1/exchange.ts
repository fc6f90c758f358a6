import type { ReadHead, RefusedHead } from './request-reader';
import type { Decision, Exchange, Fields, Reason, Upstream } from './types';

const ORIGIN = performance.timeOrigin;

/** The time with fractions, ms since the epoch; never goes back, and so knows nothing of a clock that is set or was suspended. */
export const steadyNow = (): number => ORIGIN + performance.now();

/** What the clock says today of a time of `steadyNow`. */
export const timeOfDay = (at: number): number => at + Date.now() - steadyNow();

/** An exchange as the engine writes it. */
export class OpenExchange<C, D extends Decision> implements Exchange<C, D> {
  decision: D | undefined = undefined;
  status = 0;
  reason: Reason | undefined = undefined;
  bytesOut = 0;
  upstream: Upstream | undefined = undefined;
  upstreamMs: number | undefined = undefined;
  durationMs = 0;

  constructor(
    readonly method: string,
    readonly target: string,
    readonly host: string,
    readonly minor: 0 | 1,
    readonly fields: Fields,
    readonly body: number | 'chunked',
    readonly upgrade: boolean,
    readonly peer: string,
    readonly context: C | undefined,
    readonly startedAt: number,
    public bytesIn: number,
  ) {}
}

/** The exchange of a request whose head is whole. */
export const exchangeOf = <C, D extends Decision>(
  { line: { method, target }, block, context, size }: ReadHead<C>,
  peer: string,
): OpenExchange<C, D> =>
  new OpenExchange<C, D>(
    method,
    target,
    block.host,
    block.minor,
    block.fields,
    block.body,
    block.asksForWebSocket && method === 'GET',
    peer,
    context,
    steadyNow(),
    size,
  );

/** Of a head that was not read: whatever can be told of it is. */
export function unreadExchange<C, D extends Decision>({ text }: RefusedHead, peer: string): OpenExchange<C, D> {
  const [, method = '', target = ''] = /^([A-Z]{1,32}) ([^ \r\n]*)/.exec(text) ?? [];
  const [, host = ''] = /\r\nhost:[\t ]*([^\r\n]*)/i.exec(text) ?? [];
  return new OpenExchange<C, D>(method, target, host, 1, [], 0, false, peer, undefined, steadyNow(), text.length);
}
