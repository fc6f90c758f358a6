import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type Refuse, refuseKey, refuseWithJson, refuseWithPage } from './answers';
import { type ClientAddress, clientAddress } from './forward/client-address';
import { type Forwarding, forward } from './forward/forward';
import { type HeaderList, requestHeaders, valuesOf } from './forward/headers';
import { forwardUpgrade, type Tunnel } from './forward/upgrade';
import type { Upstream } from './forward/upstream';
import { createFrontDoor, type Target, targetOf } from './front-door';
import type { UsageCounter } from './gateway/count';
import { allowedMethods, routeFor } from './gateway/match';
import { readPath } from './gateway/request-path';
import { CLIENT_GONE, type RequestMetrics, type TrafficKind } from './metrics';
import { serveStatic } from './sites/static-files';
import type { Site, State, TenantHeaders } from './snapshot/state';
import { refusalOf } from './strictness';

export interface TrafficOptions {
  baseDomain: string;
  core: Upstream;
  bff: Upstream;
  /** This edge's own mark in `Via`. */
  mark: string;
  isTrusted(address: string): boolean;
  state: State;
  usage: UsageCounter;
  metrics: RequestMetrics;
  tunnels: Set<Tunnel>;
  /** Connections whose last request was refused as unreadable: what follows on them is no request. */
  unreadable: WeakSet<object>;
  log: Logger;
}

/** The client's side of an upgrade. */
interface Upgrade {
  socket: Duplex;
  early: Buffer;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  upgrade: Upgrade | undefined;
  target: Target;
  client: ClientAddress;
  requestId: string;
}

interface Destination {
  upstream: Upstream;
  path: string;
  /** The Host header that the upstream sees. */
  host: string;
  refuse: Refuse;
  extra?: HeaderList;
  without?: ReadonlySet<string>;
  keyId?: string;
}

const SAFE_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;
const KEY_HEADER = new Set(['x-api-key']);
/** What the client got. A 101 is written past the response. */
const statusOf = ({ headersSent, statusCode }: ServerResponse): number =>
  headersSent || statusCode === 101 ? statusCode : CLIENT_GONE;
const NOTHING: ReadonlySet<string> = new Set();

/** One request from its arrival to the decision where it goes; `forward/` moves its bytes. */
export function createTraffic(options: TrafficOptions) {
  const { state, log, metrics, usage } = options;
  const decide = createFrontDoor(options.baseDomain, state);

  function handle(request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): void {
    const started = performance.now();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', requestId);
    let kind: TrafficKind = 'unknown';
    response.once('close', () => {
      const milliseconds = performance.now() - started;
      const status = statusOf(response);
      metrics.record(kind, status, milliseconds);
      if (log.isLevelEnabled('info')) {
        const path = (request.url ?? '').split('?')[0];
        const { method } = request;
        log.info({ kind, requestId, method, host: request.headers.host, path, status, ms: Math.round(milliseconds) });
      }
    });

    const refusal = refusalOf(request);
    const target = refusal ? undefined : targetOf(request);
    const destination = decide(target?.host ?? request.headers.host ?? '');
    if (destination.kind !== 'unknown') kind = destination.kind;
    const refuse = destination.kind === 'gateway' ? refuseWithJson : refuseWithPage;
    if (!target) {
      response.shouldKeepAlive = false;
      options.unreadable.add(request.socket);
      refuse(
        response,
        refusal ?? 400,
        refusal === 405 ? { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } : {},
      );
      return;
    }
    const peer = request.socket.remoteAddress ?? '';
    const client = clientAddress(peer, valuesOf(request.rawHeaders, 'x-forwarded-for'), options.isTrusted);
    const exchange: Exchange = { request, response, upgrade, target, client, requestId };
    if ((request.headers.via ?? '').includes(options.mark)) {
      refuse(response, 508);
      return;
    }
    if (destination.kind === 'unknown') refuseWithPage(response, 404);
    else if (destination.kind === 'studio') studio(exchange);
    else if (destination.kind === 'gateway') gateway(exchange);
    else site(exchange, destination.site);
  }

  function send({ request, response, upgrade, target, client, requestId }: Exchange, to: Destination): void {
    const proto = client.trusted && request.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
    const forwarding: Forwarding = {
      upstream: to.upstream,
      path: to.path,
      headers: requestHeaders(request.rawHeaders, {
        host: to.host,
        forwardedFor: client.forwardedFor,
        forwardedProto: proto,
        forwardedHost: target.host,
        requestId,
        via: `1.1 ${options.mark}`,
        extra: to.extra ?? [],
        without: to.without ?? NOTHING,
      }),
      requestId,
      refuse: to.refuse,
    };
    if (upgrade) {
      forwardUpgrade(request, response, upgrade.socket, upgrade.early, forwarding, options.tunnels, to.keyId);
    } else forward(request, response, forwarding);
  }

  /** `/api/*` is the REST contract on the public origin; all else is the site and console. */
  function studio(exchange: Exchange): void {
    const { path, host } = exchange.target;
    const upstream = /^\/api(?=[/?]|$)/.test(path) ? options.core : options.bff;
    send(exchange, { upstream, path, host, refuse: refuseWithPage });
  }

  function site(exchange: Exchange, found: Site): void {
    const { request, response, target } = exchange;
    const extra = found.tenant && tenantHeaders(found.tenant);
    const to = { path: target.path, host: target.host, refuse: refuseWithPage, extra };
    if (found.kind === 'broken') refuseWithPage(response, 503);
    else if (found.kind === 'proxy') send(exchange, { ...to, upstream: found.upstream });
    else if (found.api && /^\/api(?=[/?]|$)/.test(target.path)) send(exchange, { ...to, upstream: found.api });
    else {
      serveStatic(request, response, found.folder, target.path).catch((error: unknown) => {
        log.error({ err: error, requestId: exchange.requestId }, 'a file could not be sent');
        if (response.headersSent) response.destroy();
        else refuseWithPage(response, 503);
      });
    }
  }

  /** The five decisions in the order of contract §5; each refusal ends the exchange. */
  function gateway(exchange: Exchange): void {
    const { request, response, target, client } = exchange;
    const query = target.path.indexOf('?');
    const path = readPath(query < 0 ? target.path : target.path.slice(0, query));
    const match = path && state.routes.match(path);
    if (!path || !match) {
      refuseWithJson(response, path ? 404 : 400);
      return;
    }
    const route = routeFor(match.routes, request.method ?? '');
    if (!route) {
      refuseWithJson(response, 405, { Allow: allowedMethods(match.routes) });
      return;
    }
    const [presented, ...more] = valuesOf(request.rawHeaders, 'x-api-key');
    const key = presented && more.length === 0 ? state.keys.find(presented) : undefined;
    if (!key) {
      refuseWithJson(response, 401, { 'WWW-Authenticate': 'ApiKey' });
      return;
    }
    if (!key.allows(client.address) || !key.permits(route.permission)) {
      refuseKey(response, key.allows(client.address) ? 'permission' : 'address');
      return;
    }
    const counted = usage.count(key.id, Date.now());
    const started = performance.now();
    response.once('close', () => counted(statusOf(response), performance.now() - started));
    const forwarded = route.pathPrefix + route.destination(match.captured, match.rest);
    send(exchange, {
      upstream: route.upstream,
      path: query < 0 ? forwarded : forwarded + target.path.slice(query),
      host: route.upstream.authority,
      refuse: refuseWithJson,
      extra: ['X-Gateway-Key-Id', key.id],
      without: KEY_HEADER,
      keyId: key.id,
    });
  }

  return handle;
}

const tenantHeaders = ({ id, subdomain, database }: TenantHeaders): HeaderList => [
  'X-Tenant-Id',
  id,
  'X-Tenant-Subdomain',
  subdomain,
  'X-Tenant-Database',
  database,
];
