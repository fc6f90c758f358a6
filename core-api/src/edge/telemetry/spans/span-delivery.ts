import type { HrTime } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { type OtlpProtocol, openSpanExport, type SpanExport } from '../../../platform/tracing/span-export';
import type { SpanRow } from './request-spans';

/** `SpanKind`, `SpanStatusCode` and `TraceFlags` are copied, because the SDK is loaded only if traces are exported. */
const SERVER = 1;
const ERROR = 2;
const UNSET = 0;
const SAMPLED = 1;

/** Converts ms to a time of OpenTelemetry. @param ms time since the epoch or a duration */
function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

/** Exports the spans of all workers from the primary, where the export delays no requests. */
export class SpanDelivery {
  private constructor(private readonly exporter: SpanExport) {}

  static async open(protocol: OtlpProtocol, log: Logger): Promise<SpanDelivery> {
    return new SpanDelivery(await openSpanExport('studio-edge', protocol, log));
  }

  /** Queues spans for the export. @param findOrigin returns the pattern of a configured route */
  add(rows: readonly SpanRow[], findOrigin: (routeId: string) => string | undefined): void {
    for (const row of rows) {
      const origin = row.routeId === undefined ? undefined : findOrigin(row.routeId);
      this.exporter.processor.onEnd(this.toSpan(row, origin));
    }
  }

  /** Sends the queued spans. */
  close(): Promise<void> {
    return this.exporter.processor.shutdown();
  }

  private toSpan(row: SpanRow, origin: string | undefined): ReadableSpan {
    const { traceId, spanId, parentId, startedAt, durationMs, status } = row;
    const name =
      row.kind === 'gateway' && origin !== undefined ? `${row.method} ${origin}` : `${row.method} ${row.kind}`;
    const trace = { traceId, traceFlags: SAMPLED };
    return {
      name,
      kind: SERVER,
      spanContext: () => ({ ...trace, spanId }),
      ...(parentId !== undefined && { parentSpanContext: { ...trace, spanId: parentId, isRemote: true } }),
      startTime: toHrTime(startedAt),
      endTime: toHrTime(startedAt + durationMs),
      duration: toHrTime(durationMs),
      ended: true,
      status: { code: status >= 500 ? ERROR : UNSET },
      attributes: {
        'http.request.method': row.method,
        'url.path': row.path,
        'server.address': row.host,
        'client.address': row.clientIp,
        'http.response.status_code': status,
        'studio.kind': row.kind,
        'studio.request_id': row.requestId,
        ...(origin !== undefined && { 'http.route': origin }),
        ...(row.reason !== undefined && { 'error.type': row.reason }),
        ...(row.upstreamMs !== undefined && { 'studio.upstream_ms': row.upstreamMs }),
      },
      links: [],
      events: [],
      resource: this.exporter.resource,
      instrumentationScope: { name: 'studio' },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }
}
