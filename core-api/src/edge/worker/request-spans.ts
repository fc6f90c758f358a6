import { randomUUID } from 'node:crypto';
import type { TrafficKind } from '../../decide/verdict';
import { readTraceParent, writeTraceParent } from '../../tracing/trace-parent';
import type { Exchange } from '../http1/types';
import type { Decided, OwnSpan } from './decided';
import type { RequestFacts } from './request-facts';

/** Per report; the studio's own requests have a share that other traffic cannot use up. */
const MAX_SPANS = { studio: 100, traffic: 100 };
const MAX_TEXT_LENGTH = 1_024;

/** One request as the primary exports it. */
export interface SpanRow {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  /** Ms since the epoch, fractions included. */
  startedAt: number;
  durationMs: number;
  kind: TrafficKind;
  method: string;
  host: string;
  /** Without the query. */
  path: string;
  status: number;
  requestId: string;
  clientIp: string;
  routeId: string | undefined;
  reason: string | undefined;
  upstreamMs: number | undefined;
}

/** Which traces are exported, by `OTEL_TRACES_SAMPLER` and its `_ARG`. */
export interface Sampling {
  /** A trusted caller's decision is kept. */
  parentBased: boolean;
  /** Share of the others, 0–1. */
  ratio: number;
}

export function readSampling(environment: NodeJS.ProcessEnv): Sampling {
  const { OTEL_TRACES_SAMPLER: sampler = 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG: argument } = environment;
  const share = Number(argument ?? 1);
  const ratio = sampler.endsWith('always_off') ? 0 : sampler.endsWith('traceidratio') && share >= 0 ? share : 1;
  return { parentBased: sampler.startsWith('parentbased'), ratio };
}

/** The algorithm of the SDK's sampler, so that all processes agree. */
function isWithin(traceId: string, ratio: number): boolean {
  if (ratio >= 1) return true;
  let mixed = 0;
  for (let at = 0; at < traceId.length; at += 8) mixed ^= Number.parseInt(traceId.slice(at, at + 8), 16);
  return mixed >>> 0 < Math.floor(ratio * 0xffffffff);
}

type EdgeExchange = Exchange<RequestFacts, Decided>;

const hex = (uuid: string): string => uuid.replaceAll('-', '');

/** Spans of sampled requests until the next report; beyond `MAX_SPANS` they are only counted. */
export class RequestSpans {
  private readonly kept = { studio: [] as SpanRow[], traffic: [] as SpanRow[] };
  private dropped = 0;

  constructor(private readonly sampling: Sampling) {}

  /** @param given a trusted peer's trace headers. @param id UUID of the request, for a trace that begins here */
  begin(given: string | undefined, id: string): OwnSpan {
    const end = given?.indexOf('\r\n') ?? 0;
    const parent = readTraceParent(given?.slice(given.indexOf(':') + 1, end).trim());
    const digits = hex(id);
    const traceId = parent?.traceId ?? digits;
    const spanId = parent ? hex(randomUUID()).slice(16) : digits.slice(16);
    const { parentBased, ratio } = this.sampling;
    const sampled = parentBased && parent ? parent.sampled : isWithin(traceId, ratio);
    const lines = `traceparent: ${writeTraceParent({ traceId, spanId, sampled })}\r\n${given?.slice(end + 2) ?? ''}`;
    const parentId = parent?.spanId;
    return { traceId, spanId, parentId, sampled, lines };
  }

  /** @param about facts that the decision does not have */
  ended(
    exchange: EdgeExchange,
    own: OwnSpan,
    about: Pick<SpanRow, 'kind' | 'requestId' | 'reason' | 'startedAt'>,
  ): void {
    if (!own.sampled) return;
    const share = about.kind === 'studio' ? 'studio' : 'traffic';
    if (this.kept[share].length >= MAX_SPANS[share]) {
      this.dropped += 1;
      return;
    }
    const { method, host, target, status, durationMs, upstreamMs, context, peer, decision } = exchange;
    const query = target.indexOf('?');
    this.kept[share].push({
      traceId: own.traceId,
      spanId: own.spanId,
      parentId: own.parentId,
      durationMs,
      ...about,
      method: method.slice(0, 16),
      host: host.slice(0, MAX_TEXT_LENGTH),
      path: (query < 0 ? target : target.slice(0, query)).slice(0, MAX_TEXT_LENGTH),
      status,
      clientIp: context?.address ?? peer,
      routeId: decision?.routeId,
      upstreamMs,
    });
  }

  /** Everything since the last call. */
  take(): { spans: SpanRow[]; dropped: number } {
    const { kept, dropped } = this;
    const spans = [...kept.studio.splice(0), ...kept.traffic.splice(0)];
    this.dropped = 0;
    return { spans, dropped };
  }
}
