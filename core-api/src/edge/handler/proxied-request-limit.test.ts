import { ProxiedRequestLimit } from './proxied-request-limit';

test('requests of a client behind a trusted proxy count as connections until they end', () => {
  const clients = new ProxiedRequestLimit(2);
  const [first, second, third] = [{}, {}, {}];
  expect([clients.acquire(first, 'a'), clients.acquire(second, 'a'), clients.acquire(third, 'a')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(clients.acquire(third, 'b')).toBe(true);
  expect(clients.addTo([{ client: 'a', open: 3, idle: 1 }], 2)).toEqual([{ client: 'a', open: 5, idle: 1 }]);
  clients.release(first);
  clients.release(first);
  expect(clients.acquire({}, 'a')).toBe(true);
  clients.setCaps(new Map([['a', 1]]));
  clients.release(second);
  expect(clients.acquire({}, 'a')).toBe(false);
});
