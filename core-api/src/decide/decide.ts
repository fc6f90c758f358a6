import { type Asked, judgeGateway, type Presented } from './gateway';
import type { Site } from './site';
import type { State } from './state';
import type { Upstream } from './upstream';
import type { Verdict } from './verdict';

export interface Request extends Asked {
  /** The Host field or an absolute-form target's authority. */
  readonly host: string;
}

export interface Facts extends Presented {
  /** A `Via` carries this edge's own mark. */
  readonly loops: boolean;
}

/** `Retry-After` of a paused site, whose end is unknown. */
const PAUSED_RETRY_S = 600;

const portOf = (host: string): string => /:\d+$/.exec(host)?.[0] ?? '';

/** `/api/*` is the REST contract on the public origin. */
const isApi = (target: string): boolean =>
  target.startsWith('/api') && (target.length === 4 || target[4] === '/' || target[4] === '?');

/** A static site's own API, in each spelling in which its files are found too: none shows what lies in a folder `api`. */
const SITE_API = /^\/+(?:a|%61)(?:p|%70)(?:i|%69)(?:[/?]|$)/;

function judgeSite(site: Site, { target, host }: Request): Verdict {
  const forward = (upstream: Upstream): Verdict => {
    return { kind: 'site', action: 'forward', upstreams: [upstream], path: target, host, site };
  };
  switch (site.kind) {
    case 'proxy':
      return forward(site.upstream);
    case 'static':
      if (site.api && SITE_API.test(target)) return forward(site.api);
      return { kind: 'site', action: 'file', folder: site.folder, site };
    case 'paused':
      return {
        kind: 'site',
        action: 'refuse',
        status: 503,
        reason: 'paused',
        retryAfterS: PAUSED_RETRY_S,
        about: site.name,
        site,
      };
    case 'redirect':
      return {
        kind: 'site',
        action: 'redirect',
        host: site.host + portOf(host),
        path: target === '*' ? '/' : target,
        site,
      };
    case 'own':
      return { kind: 'site', action: 'refuse', status: 508, reason: 'loop', site };
    case 'broken':
      return { kind: 'site', action: 'refuse', status: 503, reason: 'site_unusable', site };
  }
}

/**
 * Decides what becomes of a request: the one place where hosts, routes, keys and permissions are checked (contract §1, §4, §5).
 * Pure: it neither counts nor sends. Whoever forwards counts it under the verdict's `keyId`.
 * @param now ms since the epoch
 */
export function decide(state: State, request: Request, facts: Facts, now: number): Verdict {
  const destination = state.destination(request.host);
  const { kind } = destination;
  if (facts.loops) return { kind, action: 'refuse', status: 508, reason: 'loop' };
  if (kind === 'gateway') return judgeGateway(state, request, facts, now);
  if (kind === 'site') return judgeSite(destination.site, request);
  if (kind === 'unknown') return { kind, action: 'refuse', status: 404, reason: 'unknown_host' };
  const upstreams = isApi(request.target) ? state.core : state.bff;
  return { kind, action: 'forward', upstreams, path: request.target, host: request.host };
}
