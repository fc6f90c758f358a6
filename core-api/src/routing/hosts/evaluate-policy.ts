import { toLimitKey } from '../../platform/net/network';
import type { RequestTarget } from '../gateway';
import type { RefusalReason } from '../refusal-reason';
import { canonicalizePath } from '../routes/path-normalization';
import { removeQuery } from '../routes/request-path';
import { fillLocation } from '../sites/fill-location';
import { hasAccessCookie } from './access-cookie';
import type { HostPolicy, PolicyStep } from './host-policy';

export interface PolicyRequest {
  readonly host: string;
  readonly target: string;
  readonly bodyLength: RequestTarget['bodyLength'];
  readonly address: string;
  /** True if the client has given the password of a preview, and needs no password of the site. */
  readonly isPasswordGiven?: boolean | undefined;
  readonly cookie?: string | undefined;
  readonly authorization?: string | undefined;
  /** Returns whether a password of `Basic` is correct; undefined until the core has compared it for this address. */
  readonly checkPassword?: ((key: Buffer, password: string, address: string) => boolean | undefined) | undefined;
}

type RedirectOutcome = { readonly kind: 'redirect'; readonly status: number; readonly location: string };

/** The result of a policy. After `pass`, the request is forwarded or served. */
export type PolicyOutcome =
  | { readonly kind: 'pass'; readonly usedBasic: boolean }
  | {
      readonly kind: 'refuse';
      readonly step: PolicyStep;
      readonly status: number;
      readonly reason: RefusalReason;
      readonly retryAfterS?: number;
      readonly text?: string;
    }
  /** The core must compare a password before the policy can be evaluated. */
  | { readonly kind: 'verify'; readonly key: Buffer; readonly password: string }
  | RedirectOutcome;

/** `Retry-After` of a maintenance without an end, s. */
const MAINTENANCE_RETRY_S = 600;

/** Returns the password of `Authorization: Basic`. The user name is ignored. */
function parseBasicPassword(authorization: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : text.slice(colon + 1);
}

function evaluateMaintenance({ maintenance }: HostPolicy, address: string, now: number): PolicyOutcome | undefined {
  if (!maintenance || (maintenance.until !== undefined && now >= maintenance.until)) return undefined;
  if (maintenance.mayPass(address)) return undefined;
  const { until, text } = maintenance;
  const retryAfterS = until === undefined ? MAINTENANCE_RETRY_S : Math.max(1, Math.ceil((until - now) / 1000));
  return { kind: 'refuse', step: 'maintenance', status: 503, reason: 'maintenance', retryAfterS, text };
}

function evaluateAccess({ access }: HostPolicy, request: PolicyRequest, now: number): PolicyOutcome | undefined {
  if (!access) return undefined;
  const { isListed, password, acceptsEither } = access;
  const isAllowed = isListed?.(request.address) ?? false;
  if (isListed && !isAllowed && !(acceptsEither && password))
    return { kind: 'refuse', step: 'address', status: 403, reason: 'address' };
  return password && !(acceptsEither && isAllowed) ? evaluatePassword(password.key, request, now) : undefined;
}

function evaluatePassword(key: Buffer, request: PolicyRequest, now: number): PolicyOutcome | undefined {
  if (request.isPasswordGiven || hasAccessCookie(key, request.host, request.cookie, now)) return undefined;
  const password = parseBasicPassword(request.authorization);
  const isCorrect = password !== undefined && request.checkPassword?.(key, password, request.address);
  if (password !== undefined && isCorrect === undefined) return { kind: 'verify', key, password };
  if (isCorrect) return { kind: 'pass', usedBasic: true };
  return { kind: 'refuse', step: 'password', status: 401, reason: 'password' };
}

export function matchRedirect(
  { redirects }: Pick<HostPolicy, 'redirects'>,
  target: string,
): RedirectOutcome | undefined {
  if (redirects.length === 0) return undefined;
  const pathname = removeQuery(target);
  // An ambiguous path is not redirected, because the site might read it as another path. Other paths can be decoded.
  if (canonicalizePath(pathname) === null) return undefined;
  const path = decodeURIComponent(pathname).normalize('NFC');
  for (const { path: rule, to, status } of redirects) {
    const values = rule.match(path);
    if (!values) continue;
    const location = fillLocation(to, values, target.slice(pathname.length));
    return location === undefined ? undefined : { kind: 'redirect', status, location };
  }
  return undefined;
}

/** Returns the rate limit of a client at a host. The caller counts the requests for which `isCounted` is true. */
export const createClientRateLimit = ({ id, rate }: HostPolicy, address: string) =>
  rate && { counterId: `site:${id}:${toLimitKey(address)}`, ...rate };

/** Applies the steps after the rate limit: password, redirect, body. */
function evaluateRequest(policy: HostPolicy, request: PolicyRequest, passwordOutcome?: PolicyOutcome): PolicyOutcome {
  if (passwordOutcome && passwordOutcome.kind !== 'pass') return passwordOutcome;
  const redirect = matchRedirect(policy, request.target);
  if (redirect) return redirect;
  const { maxBodyBytes } = policy;
  if (maxBodyBytes !== undefined && request.bodyLength !== 'chunked' && request.bodyLength > maxBodyBytes)
    return { kind: 'refuse', step: 'body', status: 413, reason: 'body_too_large' };
  return passwordOutcome ?? { kind: 'pass', usedBasic: false };
}

/**
 * Applies the rules of a host to a request, in the order of contract §9. The function is pure.
 * @param now ms since the epoch
 * @returns the outcome, and whether the request counts towards the client's rate limit
 */
export function evaluatePolicy(
  policy: HostPolicy,
  request: PolicyRequest,
  now: number,
): { outcome: PolicyOutcome; isCounted: boolean } {
  const maintenance = evaluateMaintenance(policy, request.address, now);
  if (maintenance) return { outcome: maintenance, isCounted: false };
  const access = evaluateAccess(policy, request, now);
  if (access?.kind === 'refuse' && access.step === 'address') return { outcome: access, isCounted: false };
  return { outcome: evaluateRequest(policy, request, access), isCounted: true };
}
