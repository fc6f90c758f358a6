import type { RateLimit } from '../../routing/config-snapshot';
import { isApiPath } from '../../routing/decide';
import { createGatewayError } from '../../routing/gateway.messages';
import type { HostPolicy } from '../../routing/hosts/host-policy';
import { addPolicyHeaders } from '../../routing/hosts/policy-headers';
import type { RefusalDecision } from '../../routing/routing-decision';
import type { LocalReply } from '../engine/types';
import { errorPages, pausedPage } from './pages.messages';
import type { ParsedHeaders } from './parsed-headers';
import { escapeHtml, renderPage } from './render-page';
import { renderSitePage } from './site-page';

/** A refusal by the routing, the handler or the engine. Only refusals by the routing have a `reason`. */
export type Refusal = Omit<RefusalDecision, 'action' | 'reason'> & Partial<Pick<RefusalDecision, 'reason'>>;

const pageBodies = new Map(
  Object.entries(errorPages).map(([status, page]) => [Number(status), renderPage(Number(status), page)]),
);

const NO_STORE_LINES = 'Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n';
const createPageLines = (policy: string): string =>
  `Content-Type: text/html; charset=utf-8\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; ${policy}frame-ancestors 'none'\r\n${NO_STORE_LINES}`;
const PAGE_LINES = createPageLines('');
/** Lines for pages of sites with rules. Such a page may have a logo and a form. */
const SITE_PAGE_LINES = createPageLines("img-src data:; form-action 'self'; ");
const JSON_LINES = `Content-Type: application/json; charset=utf-8\r\n${NO_STORE_LINES}`;
/** Pages of any origin may read a 401 or 403 of the gateway if the service has no CORS policy. */
const READABLE_BY_ANY_ORIGIN =
  'Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: WWW-Authenticate, X-Request-Id\r\n';
const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const FILE_METHODS = 'GET, HEAD';

/** Fields of draft-ietf-httpapi-ratelimit-headers: quota q per window w in seconds, r remaining, reset in t seconds. */
function createRateLimitLines(retryAfterS: number, limit: RateLimit | undefined): string {
  const retry = `Retry-After: ${retryAfterS}\r\n`;
  if (!limit) return retry;
  const { requests, seconds } = limit;
  return `${retry}RateLimit-Policy: "key";q=${requests};w=${seconds}\r\nRateLimit: "key";r=0;t=${retryAfterS}\r\n`;
}

function createStatusLines({ status, policy, allow, retryAfterS = 1, limit }: Refusal): string {
  if (status === 405) return `Allow: ${allow ?? (policy ? FILE_METHODS : ALL_METHODS)}\r\n`;
  if (status === 503) return `Retry-After: ${retryAfterS}\r\n`;
  if (status === 429) return createRateLimitLines(retryAfterS, limit);
  // A page of a sibling domain may have set cookies that fill the head. They must be cleared, or every visit fails.
  return status === 431 ? 'Clear-Site-Data: "cookies"\r\n' : '';
}

function createReply(status: number, headerLines: string, body: string): LocalReply {
  return { action: 'reply', status, headerLines, body };
}

/** Creates the page of a site with rules, in its branding. With a 401, a browser gets a password form. */
function createPolicyReply(
  { status, text }: Refusal,
  policy: HostPolicy,
  lines: string,
  target: string,
  headers: ParsedHeaders | undefined,
): LocalReply {
  const hasForm = status === 401 && headers?.acceptsHtml === true;
  const basicLine = status === 401 && !hasForm ? 'WWW-Authenticate: Basic realm="site", charset="UTF-8"\r\n' : '';
  const body = renderSitePage(status, policy, text, hasForm ? target : undefined);
  return createReply(status, addPolicyHeaders(lines + basicLine + SITE_PAGE_LINES, policy), body);
}

/** Creates the reply of the gateway or of `/api`, in the error format of the REST contract. */
function createApiReply(
  { status, reason, corsLines }: Refusal,
  lines: string,
  headers: ParsedHeaders | undefined,
): LocalReply {
  const isDenied = status === 401 || status === 403;
  const keyLine = status === 401 ? 'WWW-Authenticate: ApiKey\r\n' : '';
  const defaultCors = isDenied && headers?.origin !== undefined ? READABLE_BY_ANY_ORIGIN : '';
  const body = JSON.stringify(createGatewayError(status, reason));
  return createReply(status, lines + keyLine + (corsLines ?? defaultCors) + JSON_LINES, body);
}

/**
 * Creates the reply to a refused request. A site with rules replies with a page in its branding, another host with a
 * small page in Portuguese. The gateway and `/api` use the error format of the REST contract (contract §2, §5).
 * @param target path and query of the request, to which the password form of a site leads back
 * @param headers undefined if they could not be parsed
 */
export function createRefusalReply(
  refusal: Refusal,
  requestId: string,
  target: string,
  headers: ParsedHeaders | undefined,
): LocalReply {
  const { kind, status, policy, siteName } = refusal;
  const lines = `X-Request-Id: ${requestId}\r\n${createStatusLines(refusal)}`;
  if (policy) return createPolicyReply(refusal, policy, lines, target, headers);
  if (siteName !== undefined)
    return createReply(status, lines + PAGE_LINES, renderPage(503, pausedPage(escapeHtml(siteName))));
  if (kind === 'gateway' || (kind === 'studio' && isApiPath(target))) return createApiReply(refusal, lines, headers);
  return createReply(status, lines + PAGE_LINES, pageBodies.get(status) ?? '');
}
