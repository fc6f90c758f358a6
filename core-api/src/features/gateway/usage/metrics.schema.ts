import { z } from 'zod';
import { metricsMessages as messages } from './metrics.messages';

const metricsRanges = ['1h', '24h', '7d', '30d'] as const;
export type MetricsRange = (typeof metricsRanges)[number];

export const metricsSubjects = ['service', 'route', 'key'] as const;
export type MetricsSubject = (typeof metricsSubjects)[number];

const range = z.enum(metricsRanges, messages.range).default('24h');
const by = z.enum(metricsSubjects, messages.by).default('key');
const id = z.uuid(messages.id).optional();

/** GET /gateway/admin/metrics; at most one of `service`, `route` and `key` restricts the counts. */
export const metricsQuery = z
  .object({ range, by, service: id, route: id, key: id })
  .refine((query) => metricsSubjects.filter((subject) => query[subject]).length <= 1, {
    path: ['key'],
    message: messages.oneSubject,
  });
export type MetricsQuery = z.output<typeof metricsQuery>;

export const metricsCsvQuery = z.object({ range, by });
export type MetricsCsvQuery = z.output<typeof metricsCsvQuery>;

const ms = z.number().nullable();
export const metricsCounts = z.object({
  /** Requests that the gateway forwarded, with any outcome. */
  requests: z.int(),
  /** Responses other than 4xx and 5xx. */
  successes: z.int(),
  errors4xx: z.int(),
  errors5xx: z.int(),
  /** Requests that the gateway refused; not included in `requests`. */
  refused: z.int(),
  /** Milliseconds until the end of the response; null without requests. */
  averageMs: ms,
  p50Ms: ms,
  p95Ms: ms,
  p99Ms: ms,
});
export type MetricsCounts = z.output<typeof metricsCounts>;

export const metricsResponse = z
  .object({
    range: z.enum(metricsRanges),
    by: z.enum(metricsSubjects),
    bucketSeconds: z.int(),
    from: z.iso.datetime(),
    totals: metricsCounts,
    refusals: z.array(z.object({ reason: z.string(), count: z.int() })),
    points: z.array(z.object({ at: z.iso.datetime(), counts: metricsCounts })),
    /**
     * At most 100 subjects of the gateway, the busiest first; `name` is null for a removed subject. `prefix` tells keys
     * of the same name apart; it is null for services and routes.
     */
    subjects: z.array(
      z.object({ id: z.uuid(), name: z.string().nullable(), prefix: z.string().nullable(), counts: metricsCounts }),
    ),
  })
  .meta({ id: 'GatewayMetrics' });

export const metricsCsvResponse = z.string().meta({
  id: 'GatewayMetricsCsv',
  examples: ['at,id,name,requests,successes,errors4xx,errors5xx,refused,averageMs,p50Ms,p95Ms,p99Ms\r\n'],
});

/** GET /gateway/admin/metrics/keys: requests per hour, oldest first; the last hour is incomplete. */
export const keyActivityResponse = z
  .object({ from: z.iso.datetime(), keys: z.array(z.object({ keyId: z.uuid(), requests: z.array(z.int()) })) })
  .meta({ id: 'KeyActivity' });
