import { findLatencyBucket } from './latency';

test.each([
  [0, 0],
  [1, 0],
  [1.1, 1],
  [2, 1],
  [2.5, 2],
  [16_384, 14],
  [16_385, 15],
  [Number.MAX_SAFE_INTEGER, 15],
])('a response after %d ms is counted in bucket %d', (ms, bucket) => {
  expect(findLatencyBucket(ms)).toBe(bucket);
});
