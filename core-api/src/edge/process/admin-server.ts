import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../../platform/config/config';
import { rejectPipelining } from '../../platform/lifecycle/reject-pipelining';
import { failListening } from '../../platform/lifecycle/start-failure';
import { isLoopbackAddress } from '../../platform/net/own-address';
import { isSameSecret } from '../../platform/secrets/secret-text';

interface AdminOptions {
  isReady(): boolean;
  createMetricsText(): Promise<string>;
  /** Returns whether a certificate may be issued for a host name in lower case, for Caddy's on-demand TLS. */
  mayIssueCertificate(host: string): Promise<boolean>;
  log: Logger;
}

type AdminReply = readonly [status: number, body: string, type?: string];
type AdminRoute = (query: URLSearchParams, bearer: string | undefined) => AdminReply | Promise<AdminReply>;

const TEXT = 'text/plain; charset=utf-8';
const UNAUTHORIZED: AdminReply = [401, 'unauthorized\n'];

/** Requires a token if other machines can connect to the port. @throws ConfigError if the token is missing */
export function requireAdminToken(bindAddress: string, token: string | undefined): void {
  if (token === undefined && bindAddress !== 'localhost' && !isLoopbackAddress(bindAddress))
    throw new ConfigError([`EDGE_ADMIN_TOKEN: é preciso quando EDGE_ADMIN_HOST não é desta máquina (${bindAddress})`]);
}

/**
 * Creates the routes for health, metrics and Caddy's on-demand TLS (`/ask`).
 * @param token required for `/metrics` and `/ask`, or undefined if only this machine can connect
 */
function createRoutes(
  token: string | undefined,
  { isReady, createMetricsText, mayIssueCertificate }: AdminOptions,
): Map<string, AdminRoute> {
  const isAuthorized = (presentedToken: string | null | undefined) =>
    token === undefined || (typeof presentedToken === 'string' && isSameSecret(presentedToken, token));
  const sendMetrics: AdminRoute = async (_query, bearer) => {
    if (!isAuthorized(bearer)) return UNAUTHORIZED;
    return [200, await createMetricsText(), 'text/plain; version=0.0.4; charset=utf-8'];
  };
  const ask: AdminRoute = async (query, bearer) => {
    // Caddy can send a query parameter, but no header.
    if (!isAuthorized(bearer ?? query.get('token'))) return UNAUTHORIZED;
    // `domain` is the server name of a TLS handshake. A valid server name has no port, so no port is removed.
    const name = (query.get('domain') ?? '').replace(/\.$/, '').toLowerCase();
    return isIP(name) === 0 && (await mayIssueCertificate(name)) ? [200, 'yes\n'] : [404, 'no\n'];
  };
  return new Map<string, AdminRoute>([
    ['/healthz', () => [200, 'ok\n']],
    ['/readyz', () => (isReady() ? [200, 'ready\n'] : [503, 'not ready\n'])],
    ['/metrics', sendMetrics],
    ['/ask', ask],
  ]);
}

async function respond(routes: Map<string, AdminRoute>, request: IncomingMessage): Promise<AdminReply> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return [405, 'method not allowed\n'];
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const bearer = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return routes.get(path)?.(new URLSearchParams(query), bearer) ?? [404, 'not found\n'];
}

/** Creates the server of the administration port. A request that fails must not end the process. */
function createAdminServer(routes: Map<string, AdminRoute>, log: Logger): Server {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const [status, body, type = TEXT] = await respond(routes, request);
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
  };
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 });
  const listener = rejectPipelining((request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request to the administration port failed');
      response.destroy();
    });
  });
  server.on('request', listener);
  server.on('clientError', (_error, socket) => socket.destroy());
  for (const event of ['upgrade', 'connect'] as const) server.on(event, (_request, socket) => socket.destroy());
  return server;
}

/** Listens on the administration port. The process ends if the port or the bind address cannot be used. */
export function startAdminServer(
  config: Pick<Config, 'EDGE_ADMIN_TOKEN' | 'EDGE_ADMIN_PORT' | 'EDGE_ADMIN_HOST'>,
  options: AdminOptions,
): void {
  const server = createAdminServer(createRoutes(config.EDGE_ADMIN_TOKEN, options), options.log);
  server.once('error', (error) => failListening(error, 'EDGE_ADMIN_PORT'));
  server.listen(config.EDGE_ADMIN_PORT, config.EDGE_ADMIN_HOST, () => {
    server.removeAllListeners('error');
    server.on('error', (error) => options.log.error({ err: error }, 'the administration port failed'));
  });
}
