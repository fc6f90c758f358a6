import type { Logger } from 'pino';
import { type OtlpProtocol, openSpanExport } from './span-export';
import { parseTraceParent } from './trace-parent';

interface FinishedRequest {
  /** Name of the span: a route template such as `GET /tenants/:id`, so that the number of names is limited. */
  operation: string;
  method: string;
  /** Path without the query. */
  path: string;
  status: number;
  requestId: string;
}

export type Tracing = Awaited<ReturnType<typeof startTracing>>;

/** Starts to export spans. Without `OTEL_TRACES_SAMPLER`, spans are sampled like the caller's trace. */
export async function startTracing(service: string, protocol: OtlpProtocol, log: Logger) {
  const { processor, resource } = await openSpanExport(service, protocol, log);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const { BasicTracerProvider } = await import('@opentelemetry/sdk-trace-base');
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  const tracer = provider.getTracer('studio');
  return {
    /** Begins the span of a request, as a child of `traceparent`. Returns a function that ends the span. */
    beginSpan(traceparent: string | undefined) {
      const parent = parseTraceParent(traceparent);
      const context = parent
        ? trace.setSpanContext(ROOT_CONTEXT, {
            traceId: parent.traceId,
            spanId: parent.spanId,
            traceFlags: parent.sampled ? 1 : 0,
            isRemote: true,
          })
        : ROOT_CONTEXT;
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, context);
      return ({ operation, method, path, status, requestId }: FinishedRequest): void => {
        span.updateName(operation);
        span.setAttributes({
          'http.request.method': method,
          'url.path': path,
          'http.response.status_code': status,
          'studio.request_id': requestId,
        });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
    },
    stop: () => provider.shutdown(),
  };
}
