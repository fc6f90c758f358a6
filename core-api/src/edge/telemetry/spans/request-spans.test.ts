import { randomBytes, randomUUID } from 'node:crypto';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
import type { Exchange } from '../../engine/types';
import type { EdgeDecision } from '../../handler/edge-decision';
import type { ParsedHeaders } from '../../handler/parsed-headers';
import { RequestSpans, readSampling } from './request-spans';

const createTraceHeaders = (traceId: string, flags: string) =>
  `traceparent: 00-${traceId}-b7ad6b7169203331-${flags}\r\ntracestate: a=1\r\n`;

test('the edge samples the same traces as the OpenTelemetry SDK of the core and the BFF', () => {
  const spans = new RequestSpans(readSampling({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.3' }));
  const sampler = new TraceIdRatioBasedSampler(0.3);
  const ids = Array.from({ length: 500 }, () => randomBytes(16).toString('hex'));
  const ownSampled = ids.map((id) => spans.begin(createTraceHeaders(id, '01'), '').sampled);
  const sdkSampled = ids.map(
    (id) => sampler.shouldSample(ROOT_CONTEXT, id).decision === SamplingDecision.RECORD_AND_SAMPLED,
  );
  expect(ownSampled).toEqual(sdkSampled);
  expect(new Set(ownSampled).size).toBe(2);
});

test.each([
  [undefined, '01', true],
  [undefined, '00', false],
  ['always_on', '00', true],
  ['always_off', '01', false],
  ['parentbased_always_off', '01', true],
])('with the sampler %s and the flags %s of the caller, sampled is %s', (sampler, flags, sampled) => {
  const spans = new RequestSpans(readSampling({ OTEL_TRACES_SAMPLER: sampler }));
  const id = randomBytes(16).toString('hex');
  const span = spans.begin(createTraceHeaders(id, flags), randomUUID());
  expect(span).toMatchObject({ traceId: id, parentId: 'b7ad6b7169203331', sampled });
  expect(span.headerLines).toBe(`traceparent: 00-${id}-${span.spanId}-${sampled ? '01' : '00'}\r\ntracestate: a=1\r\n`);
  expect(span.spanId).not.toBe(span.parentId);
});

test('many requests to sites do not displace the spans of the studio’s own hosts', () => {
  const spans = new RequestSpans(readSampling({}));
  const exchange = { method: 'GET', host: 'x', target: '/a?secret=1', status: 200, durationMs: 1 };
  const endSpan = (kind: 'site' | 'studio') =>
    spans.end(
      { ...exchange, peer: '::1' } as Exchange<ParsedHeaders, EdgeDecision>,
      spans.begin(undefined, randomUUID()),
      {
        kind,
        requestId: 'r',
        reason: undefined,
        startedAt: 1,
      },
    );
  for (let count = 0; count < 5_000; count += 1) endSpan('site');
  endSpan('studio');
  const { spans: keptSpans, dropped } = spans.take();
  expect([keptSpans.length, keptSpans.length + dropped]).toEqual([101, 5_001]);
  expect(keptSpans.filter(({ kind }) => kind === 'studio')).toHaveLength(1);
  expect(JSON.stringify(keptSpans)).not.toContain('secret');
  expect(spans.take()).toEqual({ spans: [], dropped: 0 });
});
