import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP } from 'node:net';
import type { Upstream } from '../../decide/upstream';
import { targetFault } from '../../rules/own-address';
import { dryRunMessages as messages } from './dry-run.messages';

/** For all instances together; the BFF's timeout is longer. */
const DEADLINE_S = 10;

/** The message is a sentence for the screen. */
class CallFault extends Error {}

export interface TargetCall {
  upstreams: readonly Upstream[];
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  ownPorts: readonly number[];
}

/**
 * Makes one call without a body. As at the edge, the next instance is tried when one cannot be reached, and only allowed
 * target addresses are connected to.
 * @returns a sentence for the screen, and whether the service answered, whatever its status
 */
export async function callTarget({ upstreams, ...call }: TargetCall): Promise<{ ok: boolean; detail: string }> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(DEADLINE_S * 1000);
  let detail: string = messages.unreachable;
  for (const upstream of upstreams) {
    try {
      const status = await callUpstream(upstream, call, signal);
      return { ok: true, detail: messages.answered(status, Math.round(performance.now() - startedAt)) };
    } catch (error) {
      detail = signal.aborted ? messages.silent(DEADLINE_S) : reasonOf(error);
      if (signal.aborted || !neverConnected(error)) break;
    }
  }
  return { ok: false, detail };
}

async function callUpstream(
  { host, port, tls, authority }: Upstream,
  { method, path, headers, ownPorts }: Omit<TargetCall, 'upstreams'>,
  signal: AbortSignal,
): Promise<number> {
  const addresses = await addressesOf(host, port, ownPorts);
  const outgoing = (tls ? requestTls : requestPlain)({
    host,
    port,
    method,
    path,
    // Connects to exactly the addresses that were checked.
    lookup: (_host, options, callback) => {
      const [first] = addresses;
      if (options.all || !first) callback(null, addresses);
      else callback(null, first.address, first.family);
    },
    ...(tls && isIP(host) === 0 && { servername: host }),
    agent: false,
    headers: { Host: authority, ...headers },
    signal,
  });
  outgoing.end();
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  response?.on('error', () => undefined).destroy();
  return response?.statusCode ?? 0;
}

/** Resolves a name. @throws CallFault when one of its addresses may not be a target */
async function addressesOf(host: string, port: number, ownPorts: readonly number[]): Promise<LookupAddress[]> {
  const family = isIP(host);
  const addresses = family === 0 ? await lookup(host, { all: true }) : [{ address: host, family }];
  const fault = addresses.map(({ address }) => targetFault(address, port, ownPorts)).find(Boolean);
  if (fault) throw new CallFault(messages[fault]);
  return addresses;
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const UNCONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);
const neverConnected = (error: unknown): boolean => UNCONNECTED.has(codeOf(error));

function reasonOf(error: unknown): string {
  if (error instanceof CallFault) return error.message;
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return messages.unknownName;
  return code === 'ECONNREFUSED' ? messages.connectionRefused : messages.unreachable;
}
