import type { DiagLogger, SpanContext } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** A `traceparent` of W3C Trace Context, version 00. Neither of its ids may be all zeros. */
const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;
/** Minimum interval between two warnings about an unreachable collector. */
const WARNING_INTERVAL_MS = 60_000;

interface FinishedRequest {
  name: string;
  method: string;
  /** The request's path without its query. */
  path: string;
  status: number;
  requestId: string;
}

/** The span of one call to the core. */
export interface CallSpan {
  /** Parent of the core's span. */
  readonly traceparent: string;
  /** @param status undefined if no response came */
  end(status?: number): void;
}

/** The trace of one request, in which calls to the core begin their spans. */
export interface CallTrace {
  /** @param name from a bounded set, such as `GET /tenants/{id}` */
  beginCall(name: string, method: string): CallSpan;
}

interface RequestSpan extends CallTrace {
  end(request: FinishedRequest): void;
}

/** Exports one span for each request and one for each call to the core, in the trace of the request. */
export interface Tracing {
  begin(traceparent: string | undefined): RequestSpan;
  /** Sends the queued spans. */
  stop(): Promise<void>;
}

export const isTraceParent = (value: string | undefined): value is string =>
  value !== undefined && TRACE_PARENT.test(value);

function parseTraceParent(value: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(value ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED, isRemote: true };
}

/** Creates a trace without spans. Every call gets the `traceparent` of the request. */
export const createSpanlessTrace = (traceparent: string): CallTrace => ({
  beginCall: () => ({ traceparent, end: () => undefined }),
});

const formatTraceParent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags & SAMPLED ? '01' : '00'}`;

/** Returns the logger of the SDK. It passes on at most one error per `WARNING_INTERVAL_MS`, and nothing else. */
function createSdkLogger(log: Logger): DiagLogger {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const ignore = () => undefined;
  const error = (reason: string) => {
    if (performance.now() - warnedAt < WARNING_INTERVAL_MS) return;
    warnedAt = performance.now();
    log.warn({ reason: reason.slice(0, 500) }, 'traces do not reach their collector');
  };
  return { error, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
}

/**
 * Exports spans to the collector that the standard variables name (`OTEL_EXPORTER_OTLP_*`, `OTEL_BSP_*`,
 * `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`). Only this function loads the SDK.
 */
export async function startTracing(protocol: 'http/protobuf' | 'http/json', log: Logger): Promise<Tracing> {
  const [{ diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }, sdk, resources, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      protocol === 'http/json'
        ? import('@opentelemetry/exporter-trace-otlp-http')
        : import('@opentelemetry/exporter-trace-otlp-proto'),
    ]);
  diag.setLogger(createSdkLogger(log), { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });

  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const provider = new sdk.BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'studio-bff', 'service.namespace': 'studio' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('studio');
  return {
    begin(traceparent) {
      const parent = parseTraceParent(traceparent);
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, context);
      const requestContext = trace.setSpan(ROOT_CONTEXT, span);
      return {
        beginCall(name, method) {
          const call = tracer.startSpan(name, { kind: SpanKind.CLIENT }, requestContext);
          call.setAttribute('http.request.method', method);
          return {
            traceparent: formatTraceParent(call.spanContext()),
            end(status) {
              if (status !== undefined) call.setAttribute('http.response.status_code', status);
              if (status === undefined || status >= 500) call.setStatus({ code: SpanStatusCode.ERROR });
              call.end();
            },
          };
        },
        end({ name, method, path, status, requestId }) {
          span.updateName(name);
          span.setAttributes({
            'http.request.method': method,
            'url.path': path,
            'http.response.status_code': status,
            'studio.request_id': requestId,
          });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    stop: () => provider.shutdown(),
  };
}
