import { authorizeKey, type KeyCredentials } from './keys/authorize-key';
import type { CompiledKey } from './keys/key-slots';
import type { RefusalReason } from './refusal-reason';
import { parseRequestPath, removeQuery } from './routes/request-path';
import { findRoute, listAllowedMethods, type RouteMatch } from './routes/route-table';
import type { CountedLimit, RefusalDecision, RoutingDecision } from './routing-decision';
import type { RoutingTable } from './routing-table';

export interface RequestTarget {
  readonly method: string;
  /** Path and query as received, or `*`. */
  readonly target: string;
  /** Declared length of the body in bytes, or 'chunked'. */
  readonly bodyLength: number | 'chunked';
}

/** The properties of a request that the checks of the key and of CORS use. */
export interface Credentials extends KeyCredentials {
  readonly origin: string | undefined;
  /** Value of `Access-Control-Request-Method`. */
  readonly preflightMethod: string | undefined;
}

const STATUS_BY_REASON = {
  path: 400,
  no_route: 404,
  method: 405,
  no_key: 401,
  unknown_key: 401,
  disabled: 401,
  expired: 401,
  rotated: 401,
  address: 403,
  permission: 403,
  rate_limited: 429,
  body_too_large: 413,
  loop: 508,
} satisfies Partial<Record<RefusalReason, number>>;

type RefusalDetails = Pick<
  RefusalDecision,
  'allow' | 'routeId' | 'serviceId' | 'keyId' | 'corsLines' | 'limit' | 'retryAfterS'
>;

const refuse = (reason: keyof typeof STATUS_BY_REASON, details?: RefusalDetails): RefusalDecision => ({
  kind: 'gateway',
  action: 'refuse',
  status: STATUS_BY_REASON[reason],
  reason,
  ...details,
});

/** Returns the 429 for a key over its rate limit (contract §5), or a client over the limit of a host (§9). */
export const toRateLimitedDecision = (
  { kind, routeId, serviceId, keyId, corsLines, site, policy }: RoutingDecision,
  limit: CountedLimit,
  retryAfterS: number,
): RefusalDecision =>
  kind === 'site'
    ? { kind, action: 'refuse', status: 429, reason: 'rate_limited', site, policy, limit, retryAfterS }
    : refuse('rate_limited', { routeId, serviceId, keyId, corsLines, limit, retryAfterS });

/** Answers a CORS preflight for a service that has a CORS policy (contract §5); undefined for other requests. */
function decidePreflight(
  { routes }: RouteMatch,
  { origin, preflightMethod }: Credentials,
): RoutingDecision | undefined {
  if (origin === undefined || preflightMethod === undefined) return undefined;
  const route = findRoute(routes, preflightMethod);
  if (!route?.service.cors) return undefined;
  const methods = [...routes].filter(([, { service }]) => service === route.service).map(([method]) => method);
  return {
    kind: 'gateway',
    action: 'preflight',
    routeId: route.id,
    corsLines: route.service.cors.createPreflightLines(origin, methods),
  };
}

/** Returns the CORS lines of a 405. If all routes of a path belong to one service, its CORS policy applies. */
function findCorsLines({ routes }: RouteMatch, origin: string | undefined): string | undefined {
  const [service, ...others] = new Set([...routes.values()].map((route) => route.service));
  return others.length === 0 ? service?.cors?.createResponseLines(origin) : undefined;
}

/** Routes and authorizes a request at the gateway, in the order of contract §5 and §7. @param now ms since the epoch */
export function decideGateway(
  table: RoutingTable,
  { method, target, bodyLength }: RequestTarget,
  credentials: Credentials,
  now: number,
): RoutingDecision {
  const requestPath = removeQuery(target);
  const path = parseRequestPath(requestPath);
  if (!path) return refuse('path');
  const match = table.config.routes.match(path);
  if (!match) return refuse('no_route');
  const preflight = method === 'OPTIONS' ? decidePreflight(match, credentials) : undefined;
  if (preflight) return preflight;
  const route = findRoute(match.routes, method);
  if (!route)
    return refuse('method', {
      allow: listAllowedMethods(match.routes),
      corsLines: findCorsLines(match, credentials.origin),
    });
  const { service } = route;
  const routeId = route.id;
  const serviceId = service.id;
  const corsLines = service.cors?.createResponseLines(credentials.origin);
  let key: CompiledKey | undefined;
  if (!route.isPublic) {
    const authorization = authorizeKey(table.config.keys, route.permission, credentials, now);
    if ('reason' in authorization)
      return refuse(authorization.reason, { routeId, serviceId, keyId: authorization.keyId, corsLines });
    key = authorization;
  }
  const keyId = key?.id;
  if (service.isOwn) return refuse('loop', { routeId, serviceId, keyId, corsLines });
  const limit = key?.rateLimit;
  if (bodyLength !== 'chunked' && bodyLength > service.maxBodyBytes)
    return refuse('body_too_large', { routeId, serviceId, keyId, corsLines, limit });
  const destination = service.pathPrefix + route.fillDestination(match.captured, match.rest);
  return {
    kind: 'gateway',
    action: 'forward',
    upstreams: service.upstreams,
    path: destination + target.slice(requestPath.length),
    host: service.authority,
    timeoutMs: service.timeoutMs,
    maxBodyBytes: service.maxBodyBytes,
    expiresAt: key && key.expiresAt !== Number.POSITIVE_INFINITY ? key.expiresAt : undefined,
    routeId,
    serviceId,
    keyId,
    corsLines,
    limit,
  };
}
