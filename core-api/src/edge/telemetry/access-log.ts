import { redactPath } from '../../platform/log/redact-path';
import { removeQuery } from '../../routing/routes/request-path';
import { toFlatCopy } from '../engine/message/flat-copy';
import type { EdgeExchange } from '../handler/edge-decision';
import { formatClientFields, quoteAscii } from './log-json';

/** Texts of durations below 100 ms, with one decimal place. */
const TENTHS = Array.from({ length: 1_000 }, (_, tenths) => (tenths / 10).toFixed(1));

function formatMs(ms: number): string {
  const tenths = Math.round(ms * 10);
  return TENTHS[tenths] ?? (tenths / 10).toFixed(1);
}

/** Cache of line starts, indexed by the millisecond modulo its size. */
const cachedStarts = Array.from({ length: 64 }, () => ({ ms: Number.NaN, kind: '', text: '' }));

/** Returns the line up to the request id. It is cached, because many requests begin in the same millisecond. */
function formatLineStart(startedAt: number, kind: string): string {
  const ms = Math.floor(startedAt);
  const cached = cachedStarts[ms % cachedStarts.length];
  if (cached?.ms === ms && cached.kind === kind) return cached.text;
  const text = toFlatCopy(`{"time":"${new Date(ms).toISOString()}","kind":"${kind}","requestId":"`);
  cachedStarts[ms % cachedStarts.length] = { ms, kind, text };
  return text;
}

/** The fields between path and status, indexed by the minor version. */
const AFTER_PATH = [',"protocol":"HTTP/1.0","status":', ',"protocol":"HTTP/1.1","status":'] as const;

/** A finished request. */
export interface AccessLogEntry {
  exchange: EdgeExchange;
  /** Start by the system clock, ms since the epoch. */
  startedAt: number;
  kind: string;
  requestId: string;
  reason: string | undefined;
}

/** Formats a request as a line of JSON in ASCII, with a newline. */
export function formatAccessLine({ exchange, startedAt, kind, requestId, reason }: AccessLogEntry): string {
  const { decision, parsedHeaders, peer, host } = exchange;
  const clientFields = parsedHeaders?.getClientLogFields(host) ?? formatClientFields(peer, host);
  const { method, target, minorVersion, status, bytesIn, bytesOut, durationMs, upstreamMs } = exchange;
  const path = kind === 'studio' ? redactPath(removeQuery(target)) : removeQuery(target);
  // The start of the line ends with the opening quote of requestId, and clientFields with that of method.
  let line = `${formatLineStart(startedAt, kind)}${requestId}${clientFields}${method}","path":${quoteAscii(path)}${AFTER_PATH[minorVersion]}${status},"bytesIn":${bytesIn},"bytesOut":${bytesOut},"ms":${formatMs(durationMs)}`;
  if (upstreamMs !== undefined) line += `,"upstreamMs":${formatMs(upstreamMs)}`;
  if (decision?.keyId !== undefined) line += `,"keyId":"${decision.keyId}"`;
  if (decision?.routeId !== undefined) line += `,"routeId":"${decision.routeId}"`;
  if (reason !== undefined) line += `,"reason":"${reason}"`;
  if (parsedHeaders?.clientRequestId !== undefined) line += `,"client_request_id":"${parsedHeaders.clientRequestId}"`;
  return `${line}}\n`;
}
