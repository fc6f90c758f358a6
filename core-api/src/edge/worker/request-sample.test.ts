import type { Exchange } from '../http1/types';
import type { Decided } from './decided';
import type { RequestFacts } from './request-facts';
import { RequestSample } from './request-sample';

const answered = (status: number, path = '/a?secret'): Exchange<RequestFacts, Decided> => ({
  method: 'GET',
  target: path,
  host: 'api.localhost',
  minor: 1,
  fields: [],
  body: 0,
  upgrade: false,
  peer: '203.0.113.9',
  context: undefined,
  startedAt: Date.parse('2026-01-15T12:00:00Z'),
  decision: { action: 'answer', status, lines: '', kind: 'gateway', requestId: 'r' },
  status,
  reason: undefined,
  bytesIn: 0,
  bytesOut: 0,
  upstream: undefined,
  upstreamMs: undefined,
  durationMs: 1.6,
});
const sum = (rows: { weight: number }[]) => rows.reduce((total, { weight }) => total + weight, 0);

test('few are all kept, each for itself', () => {
  const sample = new RequestSample();
  for (const status of [200, 401, 502, 499]) sample.add(answered(status));
  expect(sample.take().map(({ status, path, ms, weight }) => [status, path, ms, weight])).toEqual([
    [401, '/a', 2, 1],
    [502, '/a', 2, 1],
    [200, '/a', 2, 1],
    [499, '/a', 2, 1],
  ]);
  expect(sample.take()).toEqual([]);
});

test('of many some are kept; their weights add up, and successes leave refusals and errors their place', () => {
  const sample = new RequestSample();
  for (let index = 0; index < 10_000; index += 1) sample.add(answered(index % 100 === 0 ? 429 : 200));
  const rows = sample.take();
  const [failures, successes] = [
    rows.filter(({ status }) => status === 429),
    rows.filter(({ status }) => status < 400),
  ];
  expect([failures.length, sum(failures), successes.length, sum(successes)]).toEqual([25, 100, 10, 9_900]);
});
