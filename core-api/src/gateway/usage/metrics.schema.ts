import { z } from 'zod';
import { metricsMessages as messages } from './metrics.messages';

const metricsRanges = ['1h', '24h', '7d', '30d'] as const;
export type MetricsRange = (typeof metricsRanges)[number];

const metricsSubjects = ['service', 'route', 'key'] as const;
export type MetricsSubject = (typeof metricsSubjects)[number];

const range = z.enum(metricsRanges, messages.range).default('24h');
const by = z.enum(metricsSubjects, messages.by).default('key');
const id = z.uuid(messages.id).optional();

/** GET /gateway/admin/metrics: at most one of `service`, `route` and `key`; only its requests are counted then. */
export const metricsQuery = z
  .object({ range, by, service: id, route: id, key: id })
  .refine(({ service, route, key }) => [service, route, key].filter(Boolean).length <= 1, {
    path: ['key'],
    message: messages.oneSubject,
  });
export type MetricsQuery = z.output<typeof metricsQuery>;

/** GET /gateway/admin/metrics/csv */
export const metricsCsvQuery = z.object({ range, by });
export type MetricsCsvQuery = z.output<typeof metricsCsvQuery>;

const ms = z.number().nullable();
const counts = z.object({
  /** Let through, whatever became of them. */
  requests: z.int(),
  /** Neither 4xx nor 5xx. */
  successes: z.int(),
  errors4xx: z.int(),
  errors5xx: z.int(),
  /** By the gateway; not among `requests`. */
  refused: z.int(),
  /** Milliseconds until the answer's end; null without requests. */
  averageMs: ms,
  p50Ms: ms,
  p95Ms: ms,
  p99Ms: ms,
});
export type MetricsCounts = z.output<typeof counts>;

export const metricsResponse = z
  .object({
    range: z.enum(metricsRanges),
    by: z.enum(metricsSubjects),
    bucketSeconds: z.int(),
    from: z.iso.datetime(),
    totals: counts,
    refusals: z.array(z.object({ reason: z.string(), count: z.int() })),
    points: z.array(z.object({ at: z.iso.datetime(), counts })),
    /** Of the whole gateway, busiest first; `name` is null for one that is gone. */
    subjects: z.array(z.object({ id: z.uuid(), name: z.string().nullable(), counts })),
  })
  .meta({ id: 'GatewayMetrics' });

export const metricsCsvResponse = z.string().meta({
  id: 'GatewayMetricsCsv',
  examples: ['at,id,name,requests,successes,errors4xx,errors5xx,refused,averageMs,p50Ms,p95Ms,p99Ms\r\n'],
});

/** GET /gateway/admin/metrics/keys: requests of each hour, oldest first; the last one is under way. */
export const keyActivityResponse = z
  .object({
    from: z.iso.datetime(),
    keys: z.array(z.object({ keyId: z.uuid(), requests: z.array(z.int()) })),
  })
  .meta({ id: 'KeyActivity' });
