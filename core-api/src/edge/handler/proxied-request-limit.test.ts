import { ProxiedRequestLimit } from './proxied-request-limit';

test('requests of a client behind a trusted proxy count as connections until they end', () => {
  const limit = new ProxiedRequestLimit(2);
  const [firstRequest, secondRequest, thirdRequest] = [{}, {}, {}];
  expect([
    limit.acquire(firstRequest, 'a'),
    limit.acquire(secondRequest, 'a'),
    limit.acquire(thirdRequest, 'a'),
  ]).toEqual([true, true, false]);
  expect(limit.acquire(thirdRequest, 'b')).toBe(true);
  expect(limit.addTo([{ client: 'a', open: 3, idle: 1 }], 2)).toEqual([{ client: 'a', open: 5, idle: 1 }]);
  limit.release(firstRequest);
  limit.release(firstRequest);
  expect(limit.acquire({}, 'a')).toBe(true);
  limit.setCaps(new Map([['a', 1]]));
  limit.release(secondRequest);
  expect(limit.acquire({}, 'a')).toBe(false);
});
