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

let second = 0;
let secondText = '';

/** ISO 8601 UTC with milliseconds. */
function timeOf(at: number): string {
  const ms = Math.floor(at);
  const full = ms - (ms % 1000);
  if (full !== second) {
    second = full;
    secondText = new Date(full).toISOString().slice(0, -4);
  }
  return `${secondText}${String(ms - full).padStart(3, '0')}Z`;
}

export interface LoggedFacts {
  /** Ms since the epoch, by the clock of the day. */
  startedAt: number;
  kind: string;
  requestId: string;
  clientRequestId: string | undefined;
  clientIp: string;
  keyId: string | undefined;
  routeId: string | undefined;
  reason: string | undefined;
}

/** One request as a line of JSON in ASCII, line end included. */
export function accessLine<C>(exchange: Exchange<C, Decided>, about: LoggedFacts): string {
  const { method, host, target, minor, status, bytesIn, bytesOut, durationMs, upstreamMs } = exchange;
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  let line = `{"time":"${timeOf(about.startedAt)}","kind":"${about.kind}","requestId":"${about.requestId}","clientIp":${quoted(about.clientIp)},"method":${quoted(method)},"host":${quoted(host)},"path":${quoted(path)},"protocol":"HTTP/1.${minor}","status":${status},"bytesIn":${bytesIn},"bytesOut":${bytesOut},"ms":${rounded(durationMs)}`;
  if (upstreamMs !== undefined) line += `,"upstreamMs":${rounded(upstreamMs)}`;
  if (about.keyId !== undefined) line += `,"keyId":"${about.keyId}"`;
  if (about.routeId !== undefined) line += `,"routeId":"${about.routeId}"`;
  if (about.reason !== undefined) line += `,"reason":"${about.reason}"`;
  if (about.clientRequestId !== undefined) line += `,"client_request_id":"${about.clientRequestId}"`;
  return `${line}}\n`;
}
