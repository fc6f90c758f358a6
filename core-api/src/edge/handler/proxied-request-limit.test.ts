import { ProxiedRequestLimit } from './proxied-request-limit';

const MIN_CONNECTIONS = 2;

let limit: ProxiedRequestLimit;
beforeEach(() => {
  limit = new ProxiedRequestLimit(2);
});

/** Counts an open request of a client, which must be below its limit. */
function acquire(client: string): object {
  const exchange = {};
  expect(limit.acquire(exchange, client)).toBe(true);
  return exchange;
}

test('each client behind a trusted proxy has its own limit of open requests', () => {
  acquire('a');
  acquire('a');
  expect(limit.acquire({}, 'a')).toBe(false);
  acquire('b');
});

test('open requests are added to the connections of their client', () => {
  acquire('a');
  acquire('a');
  acquire('b');
  acquire('c');
  acquire('c');
  expect(limit.addTo([{ client: 'a', open: 3, idle: 1 }], MIN_CONNECTIONS)).toEqual([
    { client: 'a', open: 5, idle: 1 },
    { client: 'c', open: 2, idle: 0 },
  ]);
});

test('a request that ends twice makes room for only one request', () => {
  const request = acquire('a');
  acquire('a');
  limit.release(request);
  limit.release(request);
  acquire('a');
  expect(limit.acquire({}, 'a')).toBe(false);
});

test('requests that are already open count towards a lower limit that the primary sets', () => {
  const request = acquire('a');
  acquire('a');
  limit.setCaps(new Map([['a', 1]]));
  limit.release(request);
  expect(limit.acquire({}, 'a')).toBe(false);
});
