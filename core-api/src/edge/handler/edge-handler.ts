import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { toLimitKey } from '../../platform/net/network';
import { findTargetRefusal, isLoopbackAddress } from '../../platform/net/own-address';
import { SOCKET_PEER } from '../../routing/client-address';
import { decide } from '../../routing/decide';
import { toRateLimitedDecision } from '../../routing/gateway';
import type { HostPolicy } from '../../routing/hosts/host-policy';
import { addPolicyHeaders } from '../../routing/hosts/policy-headers';
import type { RoutingDecision } from '../../routing/routing-decision';
import type { RoutingTable } from '../../routing/routing-table';
import { isSameUpstream } from '../../routing/upstream';
import type { Handler, LocalReply, Tunnel, Upstream } from '../engine/types';
import type { RateLeases } from '../rate-limiting/rate-leases';
import type { FileReply } from '../static/file-reply';
import { StaticFiles } from '../static/static-files';
import { VersionFiles } from '../static/version-files';
import type { AccessLogEntry } from '../telemetry/access-log';
import type { LineWriter } from '../telemetry/line-writer';
import type { RequestMetrics } from '../telemetry/metrics/worker-metrics';
import type { RequestSpans } from '../telemetry/spans/request-spans';
import type { RequestSample } from '../usage/request-sample';
import type { UsageCounter } from '../usage/usage-counter';
import type { BasicAuthCache } from './basic-auth-cache';
import type { EdgeDecision, EdgeExchange } from './edge-decision';
import { ParsedHeaders } from './parsed-headers';
import type { ProxiedRequestLimit } from './proxied-request-limit';
import { Reauthorization } from './reauthorization';
import { createRefusalReply, type Refusal } from './refusal-reply';
import { createRequestId } from './request-id';
import { UpstreamRequestBuilder } from './upstream-request-builder';

export interface HandlerOptions {
  /** Cookies of sites lose a `Domain` that is one of these domains or a parent of one. */
  ownDomains: readonly string[];
  ownPorts: readonly number[];
  /** Name of this edge in `Via`, which detects loops. */
  viaName: string;
  isTrustedProxy(address: string): boolean;
  /** Returns whether a file may be served. `realPath` contains no symbolic links. */
  mayServeFile(realPath: string): boolean;
  /** Folder with the files of published versions, named by their digests. */
  contentFolder: string;
  basicAuth: Pick<BasicAuthCache, 'getCachedResult' | 'verify'>;
  routingTable: RoutingTable;
  usage: UsageCounter;
  requestSample: RequestSample;
  leases: RateLeases;
  metrics: RequestMetrics;
  /** Undefined if no traces are exported. */
  spans: RequestSpans | undefined;
  /** Undefined if `ACCESS_LOG` is `off`. */
  accessLog: LineWriter<AccessLogEntry> | undefined;
  /** Limits the requests of each client behind a trusted proxy. */
  proxiedRequestLimit: ProxiedRequestLimit;
  log: Logger;
}

const REDIRECT_MAX_AGE_S = 300;

/** Connects the engine of a worker to the product. Decides, counts and logs requests, and writes local replies. */
export class EdgeHandler implements Handler<ParsedHeaders, EdgeDecision> {
  private readonly upstreamRequests: UpstreamRequestBuilder;
  private readonly files: StaticFiles;
  private readonly versions: VersionFiles;
  readonly authorization: Reauthorization;
  /** Request ids of exchanges that the engine refused before a decision. */
  private readonly idByRefusedExchange = new WeakMap<EdgeExchange, string>();

  constructor(private readonly options: HandlerOptions) {
    this.upstreamRequests = new UpstreamRequestBuilder(options.ownDomains, options.usage, options.spans);
    this.authorization = new Reauthorization(options.routingTable);
    this.files = new StaticFiles(options.mayServeFile);
    this.versions = new VersionFiles(options.contentFolder);
  }

  parseHeaders(fields: EdgeExchange['fields'], peer: string): ParsedHeaders {
    const { isTrustedProxy, viaName, basicAuth } = this.options;
    return new ParsedHeaders(fields, peer, isTrustedProxy, viaName, basicAuth.getCachedResult);
  }

  decide(exchange: EdgeExchange, headers: ParsedHeaders): EdgeDecision | Promise<EdgeDecision> {
    const limitKey = headers.client.isBehindProxy ? this.getClientKey(headers.client.address) : undefined;
    if (limitKey !== undefined && !this.options.proxiedRequestLimit.acquire(exchange, limitKey)) {
      const { kind } = this.options.routingTable.resolveHost(exchange.host);
      return toEdgeRefusal({ kind, status: 429 }, headers.requestId ?? createRequestId(), exchange, headers);
    }
    return this.decideAdmitted(exchange, headers);
  }

  /** Decides a request after the check of `proxiedRequestLimit`. */
  private decideAdmitted(exchange: EdgeExchange, headers: ParsedHeaders): EdgeDecision | Promise<EdgeDecision> {
    const now = Date.now();
    const decision = decide(this.options.routingTable, exchange, headers, now);
    if (decision.action === 'verify') {
      return this.options.basicAuth
        .verify(decision.key, decision.password, exchange.host, headers.address)
        .then(() => this.decideAdmitted(exchange, headers));
    }
    const { limit } = decision;
    if (limit === undefined) return this.executeDecision(exchange, headers, decision);
    const applyLease = (retryAfterS: number) => {
      const admittedDecision = retryAfterS === 0 ? decision : toRateLimitedDecision(decision, limit, retryAfterS);
      return this.executeDecision(exchange, headers, admittedDecision);
    };
    const leaseResult = this.options.leases.acquire(limit, now);
    return typeof leaseResult === 'number' ? applyLease(leaseResult) : leaseResult.then(applyLease);
  }

  private executeDecision(
    exchange: EdgeExchange,
    headers: ParsedHeaders,
    decision: Exclude<RoutingDecision, { action: 'verify' }>,
  ): EdgeDecision | Promise<EdgeDecision> {
    const requestId = headers.requestId ?? createRequestId();
    if (decision.action === 'forward') return this.upstreamRequests.begin(exchange.host, headers, decision, requestId);
    if (decision.action === 'refuse') return toEdgeRefusal(decision, requestId, exchange, headers);
    if (decision.action === 'redirect') return toEdgeRedirect(decision, requestId);
    const { kind, site, policy } = decision;
    if (decision.action === 'preflight') {
      const headerLines = createHeaderLines(requestId, decision.corsLines, policy);
      return { action: 'reply', status: 204, headerLines, kind, requestId, routeId: decision.routeId };
    }
    const toDecision = (reply: FileReply): EdgeDecision => {
      if (typeof reply === 'number') {
        return toEdgeRefusal({ kind, status: reply, allow: 'GET, HEAD', site, policy }, requestId, exchange, headers);
      }
      const { action, status, body } = reply;
      const headerLines = createHeaderLines(requestId, reply.headerLines, policy);
      return { action, status, headerLines, body, kind, requestId, site };
    };
    const fileReply =
      decision.action === 'version' ? this.versions.serve(exchange, decision) : this.files.serve(exchange, decision);
    return fileReply instanceof Promise ? fileReply.then(toDecision) : toDecision(fileReply);
  }

  refuse(exchange: EdgeExchange, status: number): LocalReply {
    const { decision, parsedHeaders, reason, upstream } = exchange;
    const requestId = decision?.requestId ?? parsedHeaders?.requestId ?? createRequestId();
    if (!decision) this.idByRefusedExchange.set(exchange, requestId);
    // Without a host the kind of traffic is unknown, and JSON is the most neutral reply.
    const kind =
      decision?.kind ?? (exchange.host === '' ? 'gateway' : this.options.routingTable.resolveHost(exchange.host).kind);
    const isLoop = reason === 'target_forbidden' && upstream && this.options.ownPorts.includes(upstream.port);
    const policy = decision?.site?.policy;
    const refusal = { kind, status: isLoop ? 508 : status, policy, corsLines: decision?.corsLines };
    return createRefusalReply(refusal, requestId, exchange.target, parsedHeaders);
  }

  onExchangeEnded(exchange: EdgeExchange): void {
    const { decision, parsedHeaders, status, durationMs } = exchange;
    const { usage, requestSample, metrics, accessLog, spans, routingTable } = this.options;
    this.options.proxiedRequestLimit.release(exchange);
    const kind = decision?.kind ?? routingTable.resolveHost(exchange.host).kind;
    const startedAt = Date.now() - durationMs;
    if (decision?.isCounted) {
      // The latency of a WebSocket is the time until the 101, not the time for which it stays open.
      const answeredMs = status === 101 ? (exchange.upstreamMs ?? 0) : durationMs;
      usage.recordResult(decision, startedAt, status, answeredMs);
    } else if (decision?.reason && kind === 'gateway') usage.countRefusal(decision, startedAt, decision.reason);
    requestSample.add(exchange);
    // If the client disconnects before the decision, the request may have no request id yet.
    const requestId =
      decision?.requestId ?? this.idByRefusedExchange.get(exchange) ?? parsedHeaders?.requestId ?? createRequestId();
    const reason = exchange.reason ?? decision?.reason;
    metrics.record(exchange, kind);
    spans?.end(exchange, decision?.span ?? spans.begin(parsedHeaders?.traceLines, createRequestId()), {
      kind,
      requestId,
      reason,
      startedAt,
    });
    accessLog?.add({ exchange, startedAt, kind, requestId, reason });
  }

  onFault(error: unknown, exchange: EdgeExchange | undefined): void {
    this.options.log.error({ err: error, requestId: exchange?.decision?.requestId }, 'a connection ended in a fault');
  }

  /** Forbids addresses that no target may have, and this installation's own ports except those of core and BFF. */
  mayConnect(address: string, port: number, upstream: Upstream): boolean {
    const { routingTable, ownPorts } = this.options;
    if ([...routingTable.core, ...routingTable.bff].some((ownUpstream) => isSameUpstream(ownUpstream, upstream)))
      return true;
    return findTargetRefusal(address, port, ownPorts) === undefined;
  }

  getClientKey(peer: string): string | undefined {
    const isProxy = peer === SOCKET_PEER || isLoopbackAddress(peer) || this.options.isTrustedProxy(peer);
    // A proxy may report a name, or a word such as `unknown`, instead of an address.
    return isProxy || isIP(peer) === 0 ? undefined : toLimitKey(peer);
  }

  isStillAuthorized(exchange: EdgeExchange): boolean {
    return this.authorization.isStillAuthorized(exchange);
  }

  /** Authorizes a new tunnel again, because the configuration may have changed while its upstream answered. */
  onTunnelOpened(tunnel: Tunnel<ParsedHeaders, EdgeDecision>): void {
    this.authorization.reauthorize(tunnel);
  }
}

/** Creates the header lines of a reply of the edge itself. The rules of the host do not concern `X-Request-Id`. */
const createHeaderLines = (requestId: string, lines: string, policy: HostPolicy | undefined): string =>
  `X-Request-Id: ${requestId}\r\n${policy ? addPolicyHeaders(lines, policy) : lines}`;

function toEdgeRedirect(
  { kind, site, policy, status, location, by }: Extract<RoutingDecision, { action: 'redirect' }>,
  requestId: string,
): EdgeDecision {
  // After a change of the primary domain, redirects that are cached for longer would form a loop.
  const caching = by === 'domain' ? `max-age=${REDIRECT_MAX_AGE_S}` : 'no-cache';
  const lines = `Location: ${location}\r\nCache-Control: ${caching}\r\n`;
  const headerLines = createHeaderLines(requestId, lines, policy);
  return { action: 'reply', status, headerLines, body: '', kind, requestId, site };
}

function toEdgeRefusal(refusal: Refusal, requestId: string, { target }: EdgeExchange, headers: ParsedHeaders) {
  const { kind, reason, keyId, routeId, serviceId, site } = refusal;
  const reply = createRefusalReply(refusal, requestId, target, headers);
  return { ...reply, kind, requestId, reason, keyId, routeId, serviceId, site };
}
