import { measureFastestRunMs } from '../testing/cost';
import { resolveClientAddress, SOCKET_PEER } from './client-address';

const isProxy = (address: string): boolean => address === '10.0.0.1';
const resolveBehindProxy = (...forwarded: string[]) => resolveClientAddress('10.0.0.1', forwarded, isProxy);

test.each([
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:1.2.3.4', '1.2.3.4'],
  ['1.2.3.4%eth0', '1.2.3.4%eth0'],
  ['%a::1%b%c', '%a::1'],
  ['1.2.3.4, ::ffff:10.0.0.1', '1.2.3.4'],
])('X-Forwarded-For: %s gives the client address %s', (forwarded, address) => {
  expect(resolveBehindProxy(forwarded).address).toBe(address);
});

test('the time to read X-Forwarded-For grows linearly with its length', () => {
  const text = 'x'.repeat(15_000);
  // A regular expression that backtracks would take a thousand times as long.
  expect(
    measureFastestRunMs(() => resolveBehindProxy(`${text}:`)) / measureFastestRunMs(() => resolveBehindProxy(text)),
  ).toBeLessThan(100);
});

test('a proxy on the Unix socket is trusted, and upstreams see it as 127.0.0.1', () => {
  const trustsNobody = () => false;
  expect(resolveClientAddress(SOCKET_PEER, ['203.0.113.9'], trustsNobody)).toEqual({
    address: '203.0.113.9',
    forwardedFor: '203.0.113.9, 127.0.0.1',
    isBehindProxy: true,
  });
  expect(resolveClientAddress(SOCKET_PEER, ['198.51.100.1, 203.0.113.9'], trustsNobody).address).toBe('203.0.113.9');
  expect(resolveClientAddress('127.0.0.1', ['203.0.113.9'], trustsNobody).isBehindProxy).toBe(false);
});
