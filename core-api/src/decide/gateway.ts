import type { CompiledKey, Keys } from './keys';
import { readPath } from './request-path';
import { allowedMethods, type CompiledRoute, type Match, routeFor } from './routes';
import type { State } from './state';
import type { KeyLimit, RefusalReason, RefuseVerdict, Verdict } from './verdict';

/** What is asked for. */
export interface Asked {
  readonly method: string;
  /** Path and query as received, or `*`. */
  readonly target: string;
  /** Bytes of the body as declared, or 'chunked'. */
  readonly body: number | 'chunked';
}

/** Who asks. */
export interface Presented {
  /** Values of `X-API-Key`, one for each line of it. */
  readonly keys: readonly string[];
  /** The client's address, or what a trusted proxy said of it. */
  readonly address: string;
  /** `Origin` of a page. */
  readonly origin: string | undefined;
  /** `Access-Control-Request-Method` of a preflight. */
  readonly asksMethod: string | undefined;
}

const STATUS = {
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

type Known = Pick<RefuseVerdict, 'allow' | 'routeId' | 'serviceId' | 'keyId' | 'cors' | 'limit' | 'retryAfterS'>;

const refuse = (reason: keyof typeof STATUS, known?: Known): RefuseVerdict => ({
  kind: 'gateway',
  action: 'refuse',
  status: STATUS[reason],
  reason,
  ...known,
});

/** contract §7, 4a: in the place of a verdict whose `limit` has no room. */
export const refuseOverLimit = (
  { routeId, serviceId, keyId, cors }: Verdict,
  limit: KeyLimit,
  retryAfterS: number,
): RefuseVerdict => refuse('rate_limited', { routeId, serviceId, keyId, cors, limit, retryAfterS });

/** contract §7, 1a: a preflight for a service that has an answer for pages of other origins. */
function judgePreflight({ routes }: Match, { origin, asksMethod }: Presented): Verdict | undefined {
  if (origin === undefined || asksMethod === undefined) return undefined;
  const route = routeFor(routes, asksMethod);
  if (!route?.service.cors) return undefined;
  const own = [...routes].filter(([, { service }]) => service === route.service).map(([method]) => method);
  return {
    kind: 'gateway',
    action: 'preflight',
    routeId: route.id,
    cors: route.service.cors.preflightLines(origin, own),
  };
}

/** Where all routes of a path are one service's, what is refused there for its method is that service's answer too. */
function corsOfAll({ routes }: Match, origin: string | undefined): string | undefined {
  const [service, ...others] = new Set([...routes.values()].map((route) => route.service));
  return others.length === 0 ? service?.cors?.answerLines(origin) : undefined;
}

/** Steps 2 to 4: the key, or why there is none that may pass. */
function judgeKey(
  keys: Keys,
  { permission }: CompiledRoute,
  { keys: given, address }: Presented,
  now: number,
): CompiledKey | { reason: keyof typeof STATUS; keyId?: string } {
  const [presented, ...more] = given;
  if (!presented) return { reason: 'no_key' };
  const key = more.length === 0 ? keys.find(presented) : undefined;
  if (!key) return { reason: 'unknown_key' };
  const keyId = key.id;
  if (key.disabled) return { reason: 'disabled', keyId };
  if (now >= key.endsAt) return { reason: key.endsAs, keyId };
  if (!key.allows(address)) return { reason: 'address', keyId };
  return key.permits(permission) ? key : { reason: 'permission', keyId };
}

/**
 * The decisions of the API gateway in the order of contract §5 and §7.
 * @param now ms since the epoch
 */
export function judgeGateway(state: State, asked: Asked, presented: Presented, now: number): Verdict {
  const { method, target, body } = asked;
  const query = target.indexOf('?');
  const path = readPath(query < 0 ? target : target.slice(0, query));
  if (!path) return refuse('path');
  const match = state.routes.match(path);
  if (!match) return refuse('no_route');
  const preflight = method === 'OPTIONS' ? judgePreflight(match, presented) : undefined;
  if (preflight) return preflight;
  const route = routeFor(match.routes, method);
  if (!route)
    return refuse('method', { allow: allowedMethods(match.routes), cors: corsOfAll(match, presented.origin) });
  const { id: routeId, service } = route;
  const serviceId = service.id;
  const cors = service.cors?.answerLines(presented.origin);
  let key: CompiledKey | undefined;
  if (!route.isPublic) {
    const judged = judgeKey(state.keys, route, presented, now);
    if ('reason' in judged) return refuse(judged.reason, { routeId, serviceId, keyId: judged.keyId, cors });
    key = judged;
  }
  const keyId = key?.id;
  if (service.own) return refuse('loop', { routeId, serviceId, keyId, cors });
  const limit = key?.limit;
  if (body !== 'chunked' && body > service.maxBodyBytes)
    return refuse('body_too_large', { routeId, serviceId, keyId, cors, limit });
  const destination = service.pathPrefix + route.destination(match.captured, match.rest);
  return {
    kind: 'gateway',
    action: 'forward',
    upstreams: service.upstreams,
    path: query < 0 ? destination : destination + target.slice(query),
    host: service.authority,
    timeoutMs: service.timeoutMs,
    maxBodyBytes: service.maxBodyBytes,
    endsAt: key && key.endsAt !== Number.POSITIVE_INFINITY ? key.endsAt : undefined,
    routeId,
    serviceId,
    keyId,
    cors,
    limit,
  };
}
