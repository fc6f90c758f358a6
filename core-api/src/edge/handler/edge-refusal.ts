import type { RefusalDecision } from '../../routing/routing-decision';
import type { EdgeDecision } from './edge-decision';
import { refusalReply } from './local-replies';
import type { ParsedHeaders } from './parsed-headers';
import { siteRefusalReply } from './site-replies';

/** Whether a page of another origin may have sent the request (`Origin`). */
export const hasOrigin = (headers: ParsedHeaders | undefined): boolean => headers?.origin !== undefined;

/** Turns a refusal into a reply: a page of the site if its host has rules, otherwise the page or JSON of the edge. */
export function toEdgeRefusal(
  refusal: Omit<RefusalDecision, 'action' | 'reason'> & Partial<Pick<RefusalDecision, 'reason'>>,
  requestId: string,
  headers: ParsedHeaders,
  target: string,
): EdgeDecision {
  const { policy, text } = refusal;
  if (policy) {
    const { kind, status, reason, allow, retryAfterS, site, limit } = refusal;
    const { acceptsHtml } = headers;
    const reply = siteRefusalReply({ status, requestId, policy, target, acceptsHtml, allow, retryAfterS, text, limit });
    return { ...reply, kind, requestId, reason, site };
  }
  const { kind, status, reason, allow, keyId, routeId, serviceId, retryAfterS, siteName, site, corsLines, limit } =
    refusal;
  const reply = refusalReply({
    kind,
    status,
    requestId,
    reason,
    allow,
    hasOrigin: hasOrigin(headers),
    retryAfterS,
    siteName,
    corsLines,
    limit,
  });
  return { ...reply, kind, requestId, reason, keyId, routeId, serviceId, site };
}
