import { parseHostHeader } from '../../platform/net/hostname';
import { formatTraceParent } from '../../platform/tracing/trace-parent';
import { createPolicyLines } from '../../routing/hosts/policy-headers';
import type { ForwardDecision } from '../../routing/routing-decision';
import type { RequestSpans } from '../telemetry/spans/request-spans';
import type { UsageCounter } from '../usage/usage-counter';
import type { EdgeDecision } from './edge-decision';
import { ResponseRewrites } from './header-rewrites';
import type { ParsedHeaders } from './parsed-headers';
import { createRequestId } from './request-id';

/** Default time limit from the last byte of a request to the first byte of its response, ms. */
const FIRST_BYTE_TIMEOUT_MS = 60_000;
/** No default limit, because the upstream itself limits the length of bodies. */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;

const AUTHORIZATION = /^authorization:[^\r]*\r\n/gim;

/** Creates the `traceparent` line of a new trace (W3C Trace Context). @param id a UUID, usually the request id */
function createTraceParent(id: string): string {
  const spanId = id.slice(19, 23) + id.slice(24);
  const traceId = id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + spanId;
  return `traceparent: ${formatTraceParent({ traceId, spanId, sampled: true })}\r\n`;
}

/** Returns the lines that tell a service the id of the key, or that tell a project its tenant. */
function createCallerLines({ kind, keyId, site }: ForwardDecision): string {
  if (kind === 'gateway' && keyId !== undefined) return `X-Gateway-Key-Id: ${keyId}\r\n`;
  const tenant = site?.tenant;
  if (!tenant) return '';
  return `X-Tenant-Id: ${tenant.id}\r\nX-Tenant-Subdomain: ${tenant.subdomain}\r\nX-Tenant-Database: ${tenant.database}\r\n`;
}

/** Turns forward decisions into header lines, limits and header rewrites for the engine. */
export class UpstreamRequestBuilder {
  private readonly rewritesBelowOwnDomains: ResponseRewrites;
  private readonly otherRewrites: ResponseRewrites;
  private readonly ownSuffixes: readonly string[];

  constructor(
    ownDomains: readonly string[],
    private readonly usage: UsageCounter,
    private readonly spans: RequestSpans | undefined,
  ) {
    this.rewritesBelowOwnDomains = new ResponseRewrites(ownDomains, { sharesConsoleDomain: true });
    this.ownSuffixes = ownDomains.map((ownDomain) => `.${ownDomain}`);
    this.otherRewrites = new ResponseRewrites(ownDomains, { sharesConsoleDomain: false });
  }

  /** Counts the request if it is for the gateway, starts its span, and returns the decision for the engine. */
  begin(requestedHost: string, headers: ParsedHeaders, decision: ForwardDecision, requestId: string): EdgeDecision {
    const { kind, upstreams, path, host, keyId, routeId, serviceId, site, corsLines, policy } = decision;
    const isCounted = kind === 'gateway';
    if (isCounted) this.usage.countRequest(decision, Date.now());
    const { traceLines, requestId: peerRequestId } = headers;
    // A new trace needs a UUID, and the request id of a trusted peer may have another form.
    const traceUuid = traceLines === undefined && peerRequestId !== undefined ? createRequestId() : requestId;
    const span = this.spans?.begin(traceLines, traceUuid);
    // The upstream continues the trace of the edge, or else of the trusted peer. Without both, a trace begins here.
    const upstreamTraceLines = span?.headerLines ?? traceLines ?? createTraceParent(traceUuid);
    // If a service has several instances, the engine writes the Host of the chosen instance.
    const hostLine = upstreams.length === 1 || kind !== 'gateway' ? `Host: ${host}\r\n` : '';
    const idLine = `X-Request-Id: ${requestId}\r\n`;
    const parsedLines = headers.getUpstreamLines(kind);
    const blockLines = decision.dropsAuthorization ? parsedLines.replace(AUTHORIZATION, '') : parsedLines;
    // `X-Forwarded-Host` is not part of the cached block, because an absolute-form target overrides the Host field.
    const lines = `${hostLine}${blockLines}X-Forwarded-Host: ${requestedHost}\r\n${idLine}${upstreamTraceLines}`;
    return {
      action: 'forward',
      upstreams,
      path,
      headerLines: lines + createCallerLines(decision),
      usesUpstreamHost: hostLine === '',
      timeoutMs: decision.timeoutMs ?? FIRST_BYTE_TIMEOUT_MS,
      maxBodyBytes: decision.maxBodyBytes ?? MAX_BODY_BYTES,
      responseLines: idLine + (corsLines ?? (policy ? createPolicyLines(policy) : '')),
      rewriteHeader: this.getRewrites(requestedHost).get(kind, corsLines, policy),
      expiresAt: decision.expiresAt,
      kind,
      requestId,
      keyId,
      routeId,
      serviceId,
      isCounted,
      site,
      corsLines,
      span,
    };
  }

  private getRewrites(requestedHost: string): ResponseRewrites {
    const name = `.${parseHostHeader(requestedHost)}`;
    const isBelowOwnDomain = this.ownSuffixes.some((suffix) => name.endsWith(suffix));
    return isBelowOwnDomain ? this.rewritesBelowOwnDomains : this.otherRewrites;
  }
}
