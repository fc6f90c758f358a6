import type { Exchange } from '../engine/types';
import type { EdgeDecision } from '../handler/edge-decision';
import type { ParsedHeaders } from '../handler/parsed-headers';
import { RequestSample } from './request-sample';

const createExchange = (status: number, path = '/a?secret'): Exchange<ParsedHeaders, EdgeDecision> => ({
  method: 'GET',
  target: path,
  host: 'api.localhost',
  minorVersion: 1,
  fields: [],
  bodyLength: 0,
  isUpgrade: false,
  peer: '203.0.113.9',
  parsedHeaders: undefined,
  startedAt: Date.parse('2026-01-15T12:00:00Z'),
  decision: { action: 'reply', status, headerLines: '', kind: 'gateway', requestId: 'r' },
  status,
  reason: undefined,
  bytesIn: 0,
  bytesOut: 0,
  upstream: undefined,
  upstreamMs: undefined,
  durationMs: 1.6,
});
const sumWeights = (rows: { weight: number }[]) => rows.reduce((total, { weight }) => total + weight, 0);

test('if the requests are few, all are sampled with weight 1', () => {
  const sample = new RequestSample();
  for (const status of [200, 401, 502, 499]) sample.add(createExchange(status));
  expect(sample.take().map(({ status, path, ms, weight }) => [status, path, ms, weight])).toEqual([
    [401, '/a', 2, 1],
    [502, '/a', 2, 1],
    [200, '/a', 2, 1],
    [499, '/a', 2, 1],
  ]);
  expect(sample.take()).toEqual([]);
});

test('failures and successes are sampled separately, and the weights of each kind add up to its number', () => {
  const sample = new RequestSample();
  for (let index = 0; index < 10_000; index += 1) sample.add(createExchange(index % 100 === 0 ? 429 : 200));
  const rows = sample.take();
  const [failures, successes] = [
    rows.filter(({ status }) => status === 429),
    rows.filter(({ status }) => status < 400),
  ];
  expect([failures.length, sumWeights(failures), successes.length, sumWeights(successes)]).toEqual([
    25, 100, 10, 9_900,
  ]);
});
