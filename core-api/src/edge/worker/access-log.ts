import type { Exchange } from '../http1/types';
import type { Decided } from './decided';

/** Text that needs no escaping in JSON. */
const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/;
const BEYOND_ASCII = /[\x7f-\uffff]/g;
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const quoted = (text: string): string =>
  PLAIN.test(text) ? `"${text}"` : JSON.stringify(text).replace(BEYOND_ASCII, escaped);

/** With one decimal place. Of two integers: a fraction costs several times as much to write. */
function rounded(ms: number): string {
  const tenths = Math.round(ms * 10);
  const whole = Math.floor(tenths / 10);
  return `${whole}.${tenths - whole * 10}`;
}

let lastMs = Number.NaN;
let lastText = '';

/** ISO 8601 UTC with milliseconds; many requests have one of them. */
function timeOf(at: number): string {
  const ms = Math.floor(at);
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}

/** Who asks whom: the part of a line that a connection's requests mostly have in common. */
export const callerText = (clientIp: string, host: string): string =>
  `"clientIp":${quoted(clientIp)},"host":${quoted(host)}`;

export interface LoggedFacts {
  /** Ms since the epoch, by the clock of the day. */
  startedAt: number;
  kind: string;
  requestId: string;
  clientRequestId: string | undefined;
  /** By `callerText`. */
  caller: string;
  keyId: string | undefined;
  routeId: string | undefined;
  reason: string | undefined;
}

/** One request as a line of JSON in ASCII, line end included. */
export function accessLine<C>(exchange: Exchange<C, Decided>, about: LoggedFacts): string {
  const { method, target, minor, status, bytesIn, bytesOut, durationMs, upstreamMs } = exchange;
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  let line = `{"time":"${timeOf(about.startedAt)}","kind":"${about.kind}","requestId":"${about.requestId}",${about.caller},"method":"${method}","path":${quoted(path)},"protocol":"HTTP/1.${minor}","status":${status},"bytesIn":${bytesIn},"bytesOut":${bytesOut},"ms":${rounded(durationMs)}`;
  if (upstreamMs !== undefined) line += `,"upstreamMs":${rounded(upstreamMs)}`;
  if (about.keyId !== undefined) line += `,"keyId":"${about.keyId}"`;
  if (about.routeId !== undefined) line += `,"routeId":"${about.routeId}"`;
  if (about.reason !== undefined) line += `,"reason":"${about.reason}"`;
  if (about.clientRequestId !== undefined) line += `,"client_request_id":"${about.clientRequestId}"`;
  return `${line}}\n`;
}
