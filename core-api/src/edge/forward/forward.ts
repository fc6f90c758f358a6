import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestPlain,
  type ServerResponse,
} from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import type { Refuse } from '../answers';
import { guardedLookup } from './guarded-lookup';
import { asksForTrailers, type HeaderList, responseHeaders, valuesOf } from './headers';
import type { Upstream } from './upstream';

const CONNECT_TIMEOUT = 5_000;
const FIRST_BYTE_TIMEOUT = 60_000;
const IDLE_TIMEOUT = 5 * 60_000;
const LARGEST_HEAD = 32 * 1024;

const pool = {
  keepAlive: true,
  keepAliveMsecs: 30_000,
  maxSockets: 512,
  maxFreeSockets: 256,
  scheduling: 'lifo',
} as const;
const plainAgent = new Agent(pool);
const tlsAgent = new TlsAgent(pool);

/** Safe to send again: nothing happens twice and there is no body that is gone (RFC 9110 §9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface Forwarding {
  upstream: Upstream;
  /** Path and query. */
  path: string;
  headers: HeaderList;
  requestId: string;
  refuse: Refuse;
}

/** Opens the upstream's side of an exchange; sockets are pooled per upstream. */
export function openRequest(
  request: IncomingMessage,
  { upstream, path, headers }: Forwarding,
  pooled = true,
): ClientRequest {
  const open = upstream.tls ? requestTls : requestPlain;
  const agent = upstream.tls ? tlsAgent : plainAgent;
  const outgoing = open({
    host: upstream.host,
    port: upstream.port,
    lookup: guardedLookup,
    ...(upstream.tls && { servername: upstream.host }),
    method: request.method,
    path,
    headers,
    agent: pooled ? agent : false,
    setHost: false,
    maxHeaderSize: LARGEST_HEAD,
  });
  outgoing.setNoDelay(true);
  return outgoing;
}

/** 502 for a connection that failed or a head that was none, 504 when it took too long. */
export class UpstreamTimeout extends Error {}

/** Ends the request when no connection, no first byte or no further byte comes in time. */
export function limitTimes(outgoing: ClientRequest): void {
  let timer: NodeJS.Timeout;
  const limit = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => outgoing.destroy(new UpstreamTimeout()), milliseconds);
  };
  limit(CONNECT_TIMEOUT);
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) limit(FIRST_BYTE_TIMEOUT);
    else socket.once('connect', () => limit(FIRST_BYTE_TIMEOUT));
  });
  outgoing.once('response', (answer) => {
    clearTimeout(timer);
    outgoing.setTimeout(IDLE_TIMEOUT, () => outgoing.destroy(new UpstreamTimeout()));
    answer.once('close', () => outgoing.setTimeout(0));
  });
  outgoing.once('upgrade', () => clearTimeout(timer));
  outgoing.once('close', () => clearTimeout(timer));
}

const isTimeout = (error: unknown): boolean =>
  error instanceof UpstreamTimeout || (error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT');

/** Framing as received: a length stays a length, chunks stay chunks, and nothing has neither. */
function framing(request: IncomingMessage): HeaderList {
  return request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked'];
}

const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Sends a request to its upstream and streams the answer back, both ways with back-pressure. */
export function forward(request: IncomingMessage, response: ServerResponse, forwarding: Forwarding): void {
  const headers = [...forwarding.headers, ...framing(request)];
  attempt(request, response, { ...forwarding, headers }, REPEATABLE.has(request.method ?? '') && !hasBody(request));
}

function attempt(
  request: IncomingMessage,
  response: ServerResponse,
  forwarding: Forwarding,
  repeatable: boolean,
): void {
  const outgoing = openRequest(request, forwarding);
  limitTimes(outgoing);

  const onClientGone = () => {
    if (!response.writableFinished) outgoing.destroy();
  };
  response.once('close', onClientGone);

  outgoing.once('error', (error) => {
    response.off('close', onClientGone);
    if (response.destroyed) return;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const stale = outgoing.reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    if (stale && repeatable) {
      attempt(request, response, forwarding, false);
      return;
    }
    // What is left of the body can no longer be placed: the connection ends with the answer.
    if (!request.complete) response.shouldKeepAlive = false;
    forwarding.refuse(response, isTimeout(error) ? 504 : 502);
  });

  // A change of protocol that nobody asked for: Node leaves the socket to whoever listens.
  outgoing.once('upgrade', (_answer, socket) => {
    response.off('close', onClientGone);
    socket.destroy();
    if (!response.headersSent) forwarding.refuse(response, 502);
  });

  outgoing.once('response', (answer) => relay(request, response, outgoing, answer, forwarding));

  if (request.headers.expect === undefined) send();
  else {
    outgoing.once('continue', () => {
      response.writeContinue();
      send();
    });
    outgoing.flushHeaders();
  }

  function send(): void {
    if (hasBody(request)) request.pipe(outgoing);
    else outgoing.end();
    request.once('aborted', () => outgoing.destroy());
  }
}

function relay(
  request: IncomingMessage,
  response: ServerResponse,
  outgoing: ClientRequest,
  answer: IncomingMessage,
  { requestId, refuse }: Forwarding,
): void {
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599) {
    outgoing.destroy();
    refuse(response, 502);
    return;
  }
  const trailers = asksForTrailers(request.rawHeaders);
  if (!request.complete && hasBody(request)) endWithAnswer(request, response, outgoing);
  // One by one: `writeHead` keeps only the last of several headers with one name.
  response.removeHeader('X-Request-Id');
  for (const [name, value] of pairs(responseHeaders(answer.rawHeaders, requestId, trailers)))
    response.appendHeader(name, value);
  response.writeHead(status, answer.statusMessage);
  // Sends the head now, and its bytes beyond ASCII as they came; `flushHeaders` would turn them into UTF-8.
  response.write('', 'latin1');
  answer.once('error', () => response.destroy());
  answer.once('aborted', () => response.destroy());
  answer.on('data', (chunk: Buffer) => {
    if (!response.write(chunk)) answer.pause();
  });
  response.on('drain', () => answer.resume());
  answer.once('end', () => {
    if (!answer.complete) {
      response.destroy();
      return;
    }
    if (trailers && valuesOf(answer.rawHeaders, 'content-length').length === 0) {
      response.addTrailers(pairs(answer.rawTrailers));
    }
    response.end();
  });
}

const pairs = (list: HeaderList): [string, string][] =>
  list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ''] satisfies [string, string]] : []));

/** The upstream answered before it read the body: the answer is passed on, then the connection ends. */
function endWithAnswer(request: IncomingMessage, response: ServerResponse, outgoing: ClientRequest): void {
  response.shouldKeepAlive = false;
  response.once('finish', () => {
    outgoing.destroy();
    if (!request.complete) request.destroy();
  });
}

/** Sockets in use and at rest, for the metrics. */
export function poolSize(): { busy: number; free: number } {
  const count = (sockets: NodeJS.ReadOnlyDict<unknown[]>) =>
    Object.values(sockets).reduce((sum, list) => sum + (list?.length ?? 0), 0);
  return {
    busy: count(plainAgent.sockets) + count(tlsAgent.sockets),
    free: count(plainAgent.freeSockets) + count(tlsAgent.freeSockets),
  };
}
