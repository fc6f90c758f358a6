import { flat } from '../http1/flat';
import type { Exchange } from '../http1/types';
import type { Decided } from './decided';
import { callerText, quoted } from './log-text';
import type { RequestFacts } from './request-facts';

/** What is below 100 ms, with one decimal place. */
const TENTHS = Array.from({ length: 1_000 }, (_, tenths) => (tenths / 10).toFixed(1));

function rounded(ms: number): string {
  const tenths = Math.round(ms * 10);
  return TENTHS[tenths] ?? (tenths / 10).toFixed(1);
}

/** By the millisecond's remainder: those that requests under way have begun in. */
const starts = Array.from({ length: 64 }, () => ({ ms: Number.NaN, kind: '', text: '' }));

/** Up to the request's id. A text of one piece, since many requests of a kind begin in one millisecond. */
function startOf(at: number, kind: string): string {
  const ms = Math.floor(at);
  const known = starts[ms % starts.length];
  if (known?.ms === ms && known.kind === kind) return known.text;
  const text = flat(`{"time":"${new Date(ms).toISOString()}","kind":"${kind}","requestId":"`);
  starts[ms % starts.length] = { ms, kind, text };
  return text;
}

/** By the minor version. */
const AFTER_PATH = [',"protocol":"HTTP/1.0","status":', ',"protocol":"HTTP/1.1","status":'] as const;

/** A request that has ended. */
export interface LoggedRequest {
  exchange: Exchange<RequestFacts, Decided>;
  /** Ms since the epoch, by the clock of the day. */
  startedAt: number;
  kind: string;
  requestId: string;
  reason: string | undefined;
}

/** One request as a line of JSON in ASCII, line end included. */
export function accessLine({ exchange, startedAt, kind, requestId, reason }: LoggedRequest): string {
  const { decision, context, peer, host } = exchange;
  const caller = context?.logged(host) ?? callerText(peer, host);
  const { method, target, minor, status, bytesIn, bytesOut, durationMs, upstreamMs } = exchange;
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  let line = `${startOf(startedAt, kind)}${requestId}${caller}${method}","path":${quoted(path)}${AFTER_PATH[minor]}${status},"bytesIn":${bytesIn},"bytesOut":${bytesOut},"ms":${rounded(durationMs)}`;
  if (upstreamMs !== undefined) line += `,"upstreamMs":${rounded(upstreamMs)}`;
  if (decision?.keyId !== undefined) line += `,"keyId":"${decision.keyId}"`;
  if (decision?.routeId !== undefined) line += `,"routeId":"${decision.routeId}"`;
  if (reason !== undefined) line += `,"reason":"${reason}"`;
  if (context?.clientRequestId !== undefined) line += `,"client_request_id":"${context.clientRequestId}"`;
  return `${line}}\n`;
}
