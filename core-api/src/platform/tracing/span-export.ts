import type { Logger } from 'pino';
import type { Config } from '../config/config';

/** Minimum interval between two warnings about an unreachable collector. */
const WARNING_INTERVAL_MS = 60_000;

export type OtlpProtocol = Config['OTEL_EXPORTER_OTLP_PROTOCOL'];

export const isTracingEnabled = (config: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SDK_DISABLED'>): boolean =>
  config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && !config.OTEL_SDK_DISABLED;

export type SpanExport = Awaited<ReturnType<typeof openSpanExport>>;

/**
 * Creates a processor that exports spans to the collector of the standard variables (`OTEL_EXPORTER_OTLP_*`,
 * `OTEL_BSP_*`, `OTEL_RESOURCE_ATTRIBUTES`). The SDK is loaded only if tracing is enabled.
 * @param service name of this process, which `OTEL_SERVICE_NAME` overrides
 */
export async function openSpanExport(service: string, protocol: OtlpProtocol, log: Logger) {
  const [{ diag, DiagLogLevel }, { BatchSpanProcessor }, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    protocol === 'http/json'
      ? import('@opentelemetry/exporter-trace-otlp-http')
      : import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  let warnedAt = Number.NEGATIVE_INFINITY;
  const warn = (reason: string) => {
    if (performance.now() - warnedAt < WARNING_INTERVAL_MS) return;
    warnedAt = performance.now();
    log.warn({ reason: reason.slice(0, 500) }, 'traces do not reach their collector');
  };
  const ignore = () => undefined;
  const logger = { error: warn, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  return {
    /** Queues up to `OTEL_BSP_MAX_QUEUE_SIZE` ended spans and exports the queue in the background. */
    processor: new BatchSpanProcessor(new OTLPTraceExporter()),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service, 'service.namespace': 'studio' }))
      .merge(detectResources({ detectors: [envDetector] })),
  };
}
