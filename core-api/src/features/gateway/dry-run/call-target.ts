import { once } from 'node:events';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP } from 'node:net';
import { getErrorCode } from '../../../platform/errors/error-details';
import { createFixedLookup, lookupTarget, RefusedTargetError } from '../../../platform/net/guarded-lookup';
import type { Upstream } from '../../../routing/upstream';
import { dryRunMessages as messages } from './dry-run.messages';

/** Time limit for all instances together. It is shorter than the BFF's time-out. */
const DEADLINE_S = 10;

export interface TargetCall {
  upstreams: readonly Upstream[];
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  ownPorts: readonly number[];
}

/**
 * Sends one request without a body. Like the edge, it tries the next instance if an instance is unreachable, and
 * connects only to allowed addresses.
 * @returns whether the service answered, with any status, and a message for the user
 */
export async function callTarget({ upstreams, ...call }: TargetCall): Promise<{ isAnswered: boolean; detail: string }> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(DEADLINE_S * 1000);
  let detail: string = messages.unreachable;
  for (const upstream of upstreams) {
    try {
      const status = await callUpstream(upstream, call, signal);
      return { isAnswered: true, detail: messages.answered(status, Math.round(performance.now() - startedAt)) };
    } catch (error) {
      detail = signal.aborted ? messages.silent(DEADLINE_S) : formatError(error);
      if (signal.aborted || !wasNeverConnected(error)) break;
    }
  }
  return { isAnswered: false, detail };
}

async function callUpstream(
  { host, port, tls, authority }: Upstream,
  { method, path, headers, ownPorts }: Omit<TargetCall, 'upstreams'>,
  signal: AbortSignal,
): Promise<number> {
  const addresses = await lookupTarget({ host, port }, ownPorts, signal);
  const request = (tls ? requestTls : requestPlain)({
    host,
    port,
    method,
    path,
    // The request connects only to addresses that were checked.
    lookup: createFixedLookup(addresses),
    ...(tls && isIP(host) === 0 && { servername: host }),
    agent: false,
    headers: { Host: authority, ...headers },
    signal,
  });
  request.end();
  const [response]: IncomingMessage[] = await once(request, 'response');
  response?.on('error', () => undefined).destroy();
  return response?.statusCode ?? 0;
}

const UNCONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);
const wasNeverConnected = (error: unknown): boolean => UNCONNECTED.has(getErrorCode(error));

function formatError(error: unknown): string {
  if (error instanceof RefusedTargetError) return messages[error.refusal];
  const code = getErrorCode(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return messages.unknownName;
  return code === 'ECONNREFUSED' ? messages.connectionRefused : messages.unreachable;
}
