import { randomUUID } from 'node:crypto';
import { redactPath } from '../../../platform/log/redact-path';
import { formatTraceParent, parseTraceParent } from '../../../platform/tracing/trace-parent';
import { removeQuery } from '../../../routing/routes/request-path';
import type { TrafficKind } from '../../../routing/routing-decision';
import type { EdgeExchange, RequestSpan } from '../../handler/edge-decision';

/** Maximum numbers of spans per report. With two limits, other traffic cannot displace the studio's requests. */
const MAX_SPANS = { studio: 100, traffic: 100 };
const MAX_TEXT_LENGTH = 1_024;

/** A finished request, for the export by the primary. */
export interface SpanRow extends Pick<RequestSpan, 'traceId' | 'spanId' | 'parentId'> {
  /** Ms since the epoch, with fractions. */
  startedAt: number;
  durationMs: number;
  kind: TrafficKind;
  method: string;
  host: string;
  /** The request's path without its query. */
  path: string;
  status: number;
  requestId: string;
  clientIp: string;
  routeId: string | undefined;
  reason: string | undefined;
  upstreamMs: number | undefined;
}

/** Sampling by `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`. */
export interface Sampling {
  /** True if the sampling decision of a trusted peer applies. */
  isParentBased: boolean;
  /** Share of the other traces that is sampled, 0–1. */
  ratio: number;
}

export function readSampling(environment: NodeJS.ProcessEnv): Sampling {
  const { OTEL_TRACES_SAMPLER = 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG = '1' } = environment;
  const ratio = readRatio(OTEL_TRACES_SAMPLER, Number(OTEL_TRACES_SAMPLER_ARG));
  return { isParentBased: OTEL_TRACES_SAMPLER.startsWith('parentbased'), ratio };
}

function readRatio(sampler: string, ratio: number): number {
  if (sampler.endsWith('always_off')) return 0;
  return sampler.endsWith('traceidratio') && ratio >= 0 ? ratio : 1;
}

/** Uses the algorithm of `TraceIdRatioBasedSampler`, so that all processes sample the same traces. */
function isSampled(traceId: string, ratio: number): boolean {
  if (ratio >= 1) return true;
  let xor = 0;
  for (let at = 0; at < traceId.length; at += 8) xor ^= Number.parseInt(traceId.slice(at, at + 8), 16);
  return xor >>> 0 < Math.floor(ratio * 0xffffffff);
}

const removeHyphens = (uuid: string): string => uuid.replaceAll('-', '');

/** Collects the spans of sampled requests for the next report. Spans beyond `MAX_SPANS` are only counted. */
export class RequestSpans {
  private readonly spans = { studio: [] as SpanRow[], traffic: [] as SpanRow[] };
  private dropped = 0;

  constructor(private readonly sampling: Sampling) {}

  /** Starts a span. @param traceLines headers of a trusted peer, `traceparent` first. @param id UUID for a new trace */
  begin(traceLines: string | undefined, id: string): RequestSpan {
    const end = traceLines?.indexOf('\r\n') ?? 0;
    const parent = parseTraceParent(traceLines?.slice(traceLines.indexOf(':') + 1, end).trim());
    const digits = removeHyphens(id);
    const traceId = parent?.traceId ?? digits;
    const spanId = parent ? removeHyphens(randomUUID()).slice(16) : digits.slice(16);
    const { isParentBased, ratio } = this.sampling;
    const sampled = isParentBased && parent ? parent.sampled : isSampled(traceId, ratio);
    const lines = `traceparent: ${formatTraceParent({ traceId, spanId, sampled })}\r\n${traceLines?.slice(end + 2) ?? ''}`;
    return { traceId, spanId, parentId: parent?.spanId, sampled, headerLines: lines };
  }

  /** Stores a finished span if it is sampled. @param details properties that the exchange does not have */
  end(
    exchange: EdgeExchange,
    span: RequestSpan,
    details: Pick<SpanRow, 'kind' | 'requestId' | 'reason' | 'startedAt'>,
  ): void {
    if (!span.sampled) return;
    const budget = details.kind === 'studio' ? 'studio' : 'traffic';
    if (this.spans[budget].length >= MAX_SPANS[budget]) {
      this.dropped += 1;
      return;
    }
    const { method, host, target, status, durationMs, upstreamMs, parsedHeaders, peer, decision } = exchange;
    this.spans[budget].push({
      traceId: span.traceId,
      spanId: span.spanId,
      parentId: span.parentId,
      durationMs,
      ...details,
      method: method.slice(0, 16),
      host: host.slice(0, MAX_TEXT_LENGTH),
      path: (budget === 'studio' ? redactPath(removeQuery(target)) : removeQuery(target)).slice(0, MAX_TEXT_LENGTH),
      status,
      clientIp: parsedHeaders?.address ?? peer,
      routeId: decision?.routeId,
      upstreamMs,
    });
  }

  /** Returns the spans since the last call, and removes them. */
  take(): { spans: SpanRow[]; dropped: number } {
    const { studio, traffic } = this.spans;
    const { dropped } = this;
    this.dropped = 0;
    return { spans: [...studio.splice(0), ...traffic.splice(0)], dropped };
  }
}
