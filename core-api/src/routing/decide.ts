import { parseHostHeader } from '../platform/net/hostname';
import { type Credentials, decideGateway, type RequestTarget } from './gateway';
import { ACCESS_PATH } from './hosts/access-cookie';
import { createClientRateLimit, evaluatePolicy, type PolicyRequest } from './hosts/evaluate-policy';
import type { HostPolicy } from './hosts/host-policy';
import type { HostMatch } from './hosts/host-router';
import type { Site } from './hosts/site';
import type { RefusalReason } from './refusal-reason';
import { removeQuery } from './routes/request-path';
import type { CountedLimit, RefusalDecision, RoutingDecision } from './routing-decision';
import type { RoutingTable } from './routing-table';
import type { Upstream } from './upstream';

export interface RoutableRequest extends RequestTarget {
  /** The Host header, or the authority of an absolute-form target. */
  readonly host: string;
}

/** The attributes that the rules of a site use. */
type SiteAttributes = Pick<PolicyRequest, 'address' | 'cookie' | 'authorization' | 'checkPassword' | 'isPasswordGiven'>;

export interface RequestAttributes extends Credentials, SiteAttributes {
  /** True if a `Via` header names this edge, because the request has already passed through this edge. */
  readonly isLoop: boolean;
}

/** `Retry-After` of a paused site, s. The end of the pause is unknown. */
const PAUSED_RETRY_S = 600;

/**
 * Time limit for the first byte of a studio response, ms. A publication compresses for up to 20 s and waits up to 60 s
 * for other machines (contract §8). The core limits other calls to shorter times.
 */
const STUDIO_TIMEOUT_MS = 120_000;

interface SiteContext {
  readonly table: RoutingTable;
  readonly request: RoutableRequest;
  readonly attributes: SiteAttributes;
  /** ms since the epoch */
  readonly now: number;
}

const refuse = (site: Site, status: number, reason: RefusalReason): RefusalDecision => ({
  kind: 'site',
  action: 'refuse',
  status,
  reason,
  site,
});

const getPortSuffix = (host: string): string => /:\d+$/.exec(host)?.[0] ?? '';

/** Returns whether the studio's host forwards a path to the core, not to the BFF. */
export const isApiPath = (target: string): boolean =>
  target.startsWith('/api') && (target.length === 4 || target[4] === '/' || target[4] === '?');

/** Matches `/api` in every encoding that the file server decodes, so that `/%61pi` does not reach a folder `api`. */
const SITE_API = /^\/+(?:a|%61)(?:p|%70)(?:i|%69)(?:[/?]|$)/;

function decideVersion(
  site: Extract<Site, { kind: 'published' | 'preview' }>,
  spaFallback: boolean,
  now: number,
): RoutingDecision {
  const { current, earlier } = site.versions;
  if (!current) return refuse(site, 404, 'unpublished');
  return {
    kind: 'site',
    action: 'version',
    current,
    earlier: earlier.filter(({ until }) => now < until),
    spaFallback,
    noindex: site.kind === 'preview',
    site,
  };
}

/**
 * Decides for a preview. The rules of its site apply to `/api`, but a client that gave the preview's password needs no
 * other password.
 */
function decidePreview(site: Extract<Site, { kind: 'preview' }>, context: SiteContext): RoutingDecision {
  const { config } = context.table;
  const owner = config.findSiteOfOwner(site.ownerId);
  const hasApi = (owner?.kind === 'published' || owner?.kind === 'static') && owner.api !== undefined;
  if (hasApi && SITE_API.test(context.request.target)) {
    const { address } = context.attributes;
    return decideSite(owner, { ...context, attributes: { address, isPasswordGiven: site.policy !== undefined } });
  }
  return decideVersion(site, config.usesSpaFallback(site.ownerId), context.now);
}

/** Returns whether a request sends the password form of its host. The core compares the password. */
const isAccessForm = ({ access }: HostPolicy, { method, target }: RoutableRequest): boolean =>
  access?.password !== undefined && method === 'POST' && removeQuery(target) === ACCESS_PATH;

/** Adds the policy of a host to the decision about its target. */
function addPolicy(decision: RoutingDecision, policy: HostPolicy, limit: CountedLimit | undefined): RoutingDecision {
  // For `/api` of a preview, the policy of the site was already applied.
  if (decision.policy !== undefined) return decision;
  const { timeoutMs, maxBodyBytes } = policy;
  return decision.action === 'forward'
    ? { ...decision, policy, limit, timeoutMs, maxBodyBytes }
    : { ...decision, policy, limit };
}

/** Applies the rules of a host before its target is used, for every kind of target (contract §9). */
function decideByPolicy(policy: HostPolicy, site: Site, context: SiteContext): RoutingDecision {
  const { table, request, attributes, now } = context;
  const { address, cookie, authorization, checkPassword, isPasswordGiven } = attributes;
  const { host, target, bodyLength } = request;
  const policyRequest = { host, target, bodyLength, address, cookie, authorization, checkPassword, isPasswordGiven };
  const { outcome, isCounted } = evaluatePolicy(policy, policyRequest, now);
  const details = {
    kind: 'site',
    site,
    policy,
    limit: isCounted ? createClientRateLimit(policy, address) : undefined,
  } as const;
  const acceptsPassword = outcome.kind !== 'refuse' || outcome.step === 'password';
  if (acceptsPassword && isAccessForm(policy, request))
    return { ...details, action: 'forward', upstreams: table.core, path: '/site-access', host, maxBodyBytes: 8_192 };
  switch (outcome.kind) {
    case 'refuse': {
      const { status, reason, retryAfterS, text } = outcome;
      return { ...details, action: 'refuse', status, reason, retryAfterS, text };
    }
    case 'redirect':
      return { ...details, action: 'redirect', by: 'rule', status: outcome.status, location: outcome.location };
    case 'verify':
      return { ...details, action: 'verify', key: outcome.key, password: outcome.password };
    case 'pass': {
      const decision = decideTarget(site, context);
      const isPasswordSent = decision.action === 'forward' && outcome.usedBasic;
      return addPolicy(isPasswordSent ? { ...decision, dropsAuthorization: true } : decision, policy, details.limit);
    }
  }
}

function decideSite(site: Site, context: SiteContext): RoutingDecision {
  if (site.kind === 'preview' && context.now >= site.expiresAt) return refuse(site, 410, 'preview_expired');
  return site.policy === undefined ? decideTarget(site, context) : decideByPolicy(site.policy, site, context);
}

function decideDomainRedirect(
  site: Extract<Site, { kind: 'redirect' }>,
  { host, target }: RoutableRequest,
): RoutingDecision {
  // A wildcard may match the host that it redirects to.
  if (parseHostHeader(host) === site.host) return refuse(site, 508, 'loop');
  // A location without a scheme keeps the scheme of the request.
  const location = `//${site.host}${getPortSuffix(host)}${target === '*' ? '/' : target}`;
  return { kind: 'site', action: 'redirect', by: 'domain', status: 308, location, site };
}

function decideTarget(site: Site, context: SiteContext): RoutingDecision {
  const { target, host } = context.request;
  const forward = (upstream: Upstream): RoutingDecision => {
    return { kind: 'site', action: 'forward', upstreams: [upstream], path: target, host, site };
  };
  switch (site.kind) {
    case 'proxy':
      return forward(site.upstream);
    case 'static':
      if (site.api && SITE_API.test(target)) return forward(site.api);
      return { kind: 'site', action: 'file', folder: site.folder, spaFallback: site.spaFallback, site };
    case 'published':
      if (site.api && SITE_API.test(target)) return forward(site.api);
      return decideVersion(site, site.spaFallback, context.now);
    case 'preview':
      return decidePreview(site, context);
    case 'paused':
      return { ...refuse(site, 503, 'paused'), retryAfterS: PAUSED_RETRY_S, siteName: site.name };
    case 'redirect':
      return decideDomainRedirect(site, context.request);
    case 'own':
      return refuse(site, 508, 'loop');
    case 'broken':
      return refuse(site, 503, 'site_unusable');
  }
}

/**
 * Decides whether a request is forwarded, answered or refused. Hosts, routes, keys and permissions are checked here and
 * nowhere else (contract §1, §4, §5). The function is pure: the caller counts usage and takes from the rate limit.
 * @param now ms since the epoch
 * @param route route of the host; the dry run of unsaved rules passes a route with these rules
 */
export function decide(
  table: RoutingTable,
  request: RoutableRequest,
  attributes: RequestAttributes,
  now: number,
  route: HostMatch = table.resolveHost(request.host),
): RoutingDecision {
  const { kind } = route;
  if (attributes.isLoop) return { kind, action: 'refuse', status: 508, reason: 'loop' };
  if (kind === 'gateway') return decideGateway(table, request, attributes, now);
  if (kind === 'site') return decideSite(route.site, { table, request, attributes, now });
  if (kind === 'unknown') return { kind, action: 'refuse', status: 404, reason: 'unknown_host' };
  const upstreams = isApiPath(request.target) ? table.core : table.bff;
  return { kind, action: 'forward', upstreams, path: request.target, host: request.host, timeoutMs: STUDIO_TIMEOUT_MS };
}
