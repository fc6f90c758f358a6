import { ProxiedRequestLimit } from './proxied-request-limit';

test('requests of a client behind a trusted proxy count as connections until they end', () => {
  const limit = new ProxiedRequestLimit(2);
  const [first, second, third] = [{}, {}, {}];
  expect([limit.acquire(first, 'a'), limit.acquire(second, 'a'), limit.acquire(third, 'a')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(limit.acquire(third, 'b')).toBe(true);
  expect(limit.addTo([{ client: 'a', open: 3, idle: 1 }], 2)).toEqual([{ client: 'a', open: 5, idle: 1 }]);
  limit.release(first);
  limit.release(first);
  expect(limit.acquire({}, 'a')).toBe(true);
  limit.setCaps(new Map([['a', 1]]));
  limit.release(second);
  expect(limit.acquire({}, 'a')).toBe(false);
});
