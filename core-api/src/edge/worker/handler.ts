import type { Logger } from 'pino';
import { decide } from '../../decide/decide';
import { refuseOverLimit } from '../../decide/gateway';
import type { State } from '../../decide/state';
import { sameTarget } from '../../decide/upstream';
import type { ForwardVerdict, RefuseVerdict, Verdict } from '../../decide/verdict';
import { networkOf } from '../../rules/network';
import { isLoopbackAddress, targetFault } from '../../rules/own-address';
import { redirection, refusal } from '../answers';
import type { Answer, Exchange, Handler, Tunnel, Upstream } from '../http1/types';
import { FIRST_BYTE_MS, MAX_BODY_BYTES } from '../limits';
import { type Served, StaticFiles } from '../sites/static-files';
import type { LoggedRequest } from './access-log';
import { hostOnlyCookies, ownRequestId, withoutCors } from './answer-edits';
import type { Decided } from './decided';
import type { LineWriter } from './line-writer';
import type { RequestMetrics } from './metrics';
import type { RateLeases } from './rate-leases';
import { RequestFacts } from './request-facts';
import { newRequestId } from './request-id';
import type { RequestSample } from './request-sample';
import type { RequestSpans } from './request-spans';
import type { UsageCounter } from './usage-counter';

export interface HandlerOptions {
  baseDomain: string;
  ownPorts: readonly number[];
  /** This edge's own mark in `Via`. */
  mark: string;
  isTrusted(address: string): boolean;
  /** Whether a file may be served, by its path without links. */
  mayServe(real: string): boolean;
  state: State;
  usage: UsageCounter;
  requests: RequestSample;
  leases: RateLeases;
  metrics: RequestMetrics;
  /** Missing where no traces are told. */
  spans: RequestSpans | undefined;
  /** Missing when no request is logged. */
  accessLog: LineWriter<LoggedRequest> | undefined;
  log: Logger;
}

type Asked = Exchange<RequestFacts, Decided>;

/** What an answer under way was last judged by. */
interface Judged {
  /** Of the configuration. */
  updates: number;
  /** ms since the epoch */
  endsAt: number;
}

/** What the engine asks of the product: it judges, counts, logs and speaks; the engine moves bytes. */
export class EdgeHandler implements Handler<RequestFacts, Decided> {
  private readonly editAnswer;
  private readonly editWithCors;
  private readonly files: StaticFiles;
  /** Answers that take long and were judged anew: how long that holds. */
  private readonly judged = new WeakMap<Asked, Judged>();
  /** Of requests that could not even be read. */
  private readonly unread = new WeakMap<Asked, string>();

  constructor(private readonly options: HandlerOptions) {
    this.editAnswer = hostOnlyCookies(options.baseDomain);
    this.editWithCors = withoutCors(this.editAnswer);
    this.files = new StaticFiles(options.mayServe);
  }

  read(fields: Asked['fields'], peer: string): RequestFacts {
    return new RequestFacts(fields, peer, this.options.isTrusted, this.options.mark);
  }

  decide(exchange: Asked, facts: RequestFacts): Decided | Promise<Decided> {
    const now = Date.now();
    const verdict = decide(this.options.state, exchange, facts, now);
    const { limit } = verdict;
    if (limit === undefined) return this.follow(exchange, facts, verdict);
    const judged = (retryAfterS: number) =>
      this.follow(exchange, facts, retryAfterS === 0 ? verdict : refuseOverLimit(verdict, limit, retryAfterS));
    const retryAfterS = this.options.leases.take(limit, now);
    return typeof retryAfterS === 'number' ? judged(retryAfterS) : retryAfterS.then(judged);
  }

  private follow(exchange: Asked, facts: RequestFacts, verdict: Verdict): Decided | Promise<Decided> {
    const requestId = facts.requestId ?? newRequestId();
    if (verdict.action === 'forward') return this.forward(exchange.host, facts, verdict, requestId);
    if (verdict.action === 'refuse') return refused(verdict, requestId, facts);
    if (verdict.action === 'redirect')
      return { ...redirection({ ...verdict, requestId }), kind: verdict.kind, requestId, site: verdict.site };
    if (verdict.action === 'preflight') {
      const { kind, cors, routeId } = verdict;
      return {
        action: 'answer',
        status: 204,
        lines: `X-Request-Id: ${requestId}\r\n${cors}`,
        kind,
        requestId,
        routeId,
      };
    }
    const { kind, folder, site } = verdict;
    const answered = (served: Served): Decided => {
      if (typeof served === 'number')
        return refused({ kind, status: served, allow: 'GET, HEAD', site }, requestId, facts);
      const { action, status, lines, body } = served;
      return { action, status, lines: `X-Request-Id: ${requestId}\r\n${lines}`, body, kind, requestId, site };
    };
    const served = this.files.serve(exchange, folder);
    return served instanceof Promise ? served.then(answered) : answered(served);
  }

  private forward(askedHost: string, facts: RequestFacts, verdict: ForwardVerdict, requestId: string): Decided {
    const { kind, upstreams, path, host, keyId, routeId, serviceId, site, cors } = verdict;
    const counted = kind === 'gateway';
    if (counted) this.options.usage.count(verdict, Date.now());
    const traceId = facts.trace !== undefined || facts.requestId === undefined ? requestId : newRequestId();
    const span = this.options.spans?.begin(facts.trace, traceId);
    const trace = span?.lines ?? facts.trace ?? newTrace(traceId);
    const tenant = site?.tenant;
    // Of several instances each is asked by its own name.
    const hostLine = upstreams.length === 1 || kind !== 'gateway' ? `Host: ${host}\r\n` : '';
    const idLine = `X-Request-Id: ${requestId}\r\n`;
    const blockLines = facts.linesFor(kind === 'unknown' ? 'site' : kind);
    // An absolute-form target in HTTP/1.0 names a host that is no field of the block.
    let lines = `${hostLine}${blockLines}X-Forwarded-Host: ${askedHost}\r\n${idLine}${trace}`;
    if (counted && keyId !== undefined) lines += `X-Gateway-Key-Id: ${keyId}\r\n`;
    else if (tenant) {
      lines += `X-Tenant-Id: ${tenant.id}\r\nX-Tenant-Subdomain: ${tenant.subdomain}\r\nX-Tenant-Database: ${tenant.database}\r\n`;
    }
    return {
      action: 'forward',
      upstreams,
      path,
      lines,
      namesUpstream: hostLine === '',
      timeoutMs: verdict.timeoutMs ?? FIRST_BYTE_MS,
      maxBodyBytes: verdict.maxBodyBytes ?? MAX_BODY_BYTES,
      answerLines: cors === undefined ? idLine : idLine + cors,
      edit: kind === 'studio' ? ownRequestId : cors === undefined ? this.editAnswer : this.editWithCors,
      endsAt: verdict.endsAt,
      kind,
      requestId,
      keyId,
      routeId,
      serviceId,
      counted,
      site,
      cors,
      span,
    };
  }

  refuse(exchange: Asked, status: number): Answer {
    const { decision, context, reason, upstream } = exchange;
    const requestId = decision?.requestId ?? context?.requestId ?? newRequestId();
    if (!decision) this.unread.set(exchange, requestId);
    // Without a host the kind of site is unknown.
    const kind =
      decision?.kind ?? (exchange.host === '' ? 'gateway' : this.options.state.destination(exchange.host).kind);
    const isLoop = reason === 'target_forbidden' && upstream && this.options.ownPorts.includes(upstream.port);
    return refusal({
      kind,
      status: isLoop ? 508 : status,
      requestId,
      fromPage: isFromPage(context),
      cors: decision?.cors,
    });
  }

  ended(exchange: Asked): void {
    const { decision, context, status, durationMs } = exchange;
    const { usage, requests, metrics, accessLog, spans, state } = this.options;
    const kind = decision?.kind ?? state.destination(exchange.host).kind;
    const startedAt = Date.now() - durationMs;
    if (decision?.counted) {
      // How long a WebSocket stays open says nothing about who answers.
      const answeredMs = status === 101 ? (exchange.upstreamMs ?? 0) : durationMs;
      usage.ended(decision, startedAt, status, answeredMs);
    } else if (decision?.reason && kind === 'gateway') usage.refused(decision, startedAt, decision.reason);
    requests.add(exchange);
    // Who leaves while it is decided has no id yet.
    const requestId = decision?.requestId ?? this.unread.get(exchange) ?? context?.requestId ?? newRequestId();
    const reason = exchange.reason ?? decision?.reason;
    metrics.record(exchange, kind, reason);
    spans?.ended(exchange, decision?.span ?? spans.begin(context?.trace, newRequestId()), {
      kind,
      requestId,
      reason,
      startedAt,
    });
    accessLog?.add({ exchange, startedAt, kind, requestId, reason });
  }

  fault(error: unknown, exchange: Asked | undefined): void {
    this.options.log.error({ err: error, requestId: exchange?.decision?.requestId }, 'a connection ended in a fault');
  }

  /** Only the core and the BFF may be targets inside this installation. */
  mayConnect(address: string, port: number, upstream: Upstream): boolean {
    const { state, ownPorts } = this.options;
    if ([...state.core, ...state.bff].some((own) => sameTarget(own, upstream))) return true;
    return targetFault(address, port, ownPorts) === undefined;
  }

  countedAs(peer: string): string | undefined {
    return isLoopbackAddress(peer) || this.options.isTrusted(peer) ? undefined : networkOf(peer);
  }

  /** What would be decided of a request that was let through: its key, its route or its site may be gone. */
  private verdictNow(exchange: Asked): Verdict | undefined {
    return exchange.context && decide(this.options.state, exchange, exchange.context, Date.now());
  }

  /**
   * A stream or a long download ends with its key. A service that has moved meanwhile may finish what it has begun.
   * Asked again and again for each: it is judged when the configuration has changed or its time is over, and not else.
   */
  mayGoOn(exchange: Asked): boolean {
    const { updates } = this.options.state;
    const last = this.judged.get(exchange);
    if (last && last.updates === updates && Date.now() < last.endsAt) return true;
    const verdict = this.verdictNow(exchange);
    if (verdict?.action === 'refuse') return false;
    const endsAt = (verdict?.action === 'forward' ? verdict.endsAt : undefined) ?? Number.POSITIVE_INFINITY;
    this.judged.set(exchange, { updates, endsAt });
    return true;
  }

  /** Its upstream may have taken its time: what changed meanwhile was asked of the tunnels that stood. */
  upgraded(tunnel: Tunnel<RequestFacts, Decided>): void {
    this.judgeAnew(tunnel);
  }

  /** Ends a tunnel that would not be let through to the same place today. */
  judgeAnew(tunnel: Tunnel<RequestFacts, Decided>): void {
    const { decision, upstream } = tunnel.exchange;
    const verdict = this.verdictNow(tunnel.exchange);
    const holds =
      verdict?.action === 'forward' &&
      decision?.action === 'forward' &&
      verdict.keyId === decision.keyId &&
      verdict.site?.id === decision.site?.id &&
      verdict.path === decision.path &&
      verdict.upstreams.some((one) => !upstream || (sameTarget(one, upstream) && one.tls === upstream.tls));
    if (holds) tunnel.endsAt = verdict.endsAt;
    else tunnel.end();
  }
}

function refused(
  verdict: Omit<RefuseVerdict, 'action' | 'reason'> & Partial<Pick<RefuseVerdict, 'reason'>>,
  requestId: string,
  facts: RequestFacts,
): Decided {
  const { kind, status, reason, allow, keyId, routeId, serviceId, retryAfterS, about, site, cors, limit } = verdict;
  const fromPage = isFromPage(facts);
  const answer = refusal({ kind, status, requestId, reason, allow, fromPage, retryAfterS, about, cors, limit });
  return { ...answer, kind, requestId, reason, keyId, routeId, serviceId, site };
}

const isFromPage = (facts: RequestFacts | undefined): boolean => facts?.origin !== undefined;

/** A trace that begins here (W3C Trace Context). @param id a UUID: the request's own, where the edge made it */
function newTrace(id: string): string {
  const span = id.slice(19, 23) + id.slice(24);
  return `traceparent: 00-${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(14, 18)}${span}-${span}-01\r\n`;
}
