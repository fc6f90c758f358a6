import { networkInterfaces } from 'node:os';
import { findTargetRefusal, isOwnAddress } from './own-address';

const OWN_PORTS = [3000, 3002];
const interfaceAddresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);

test('loopback and interface addresses in any notation belong to this machine', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'].every(isOwnAddress)).toBe(true);
  expect(interfaceAddresses.map(({ address }) => address.replace(/%.*$/, '')).every(isOwnAddress)).toBe(true);
  expect(['203.0.113.7', '2001:db8::7', 'localhost', ''].some(isOwnAddress)).toBe(false);
});

test.each([
  ['127.0.0.1', 3000, 'own'],
  ['127.3.2.1', 3002, 'own'],
  ['::1', 3000, 'own'],
  ['64:ff9b::7f00:1', 3000, 'own'],
  ['169.254.169.254', 4000, 'forbidden'],
  ['0.0.0.0', 3000, 'forbidden'],
])('the target %s with the port %d is refused as %s', (address, port, refusal) =>
  expect(findTargetRefusal(address, port, OWN_PORTS)).toBe(refusal),
);

test.each([
  ['127.0.0.1', 4000],
  ['203.0.113.7', 3000],
])('the target %s with the port %d is permitted', (address, port) =>
  expect(findTargetRefusal(address, port, OWN_PORTS)).toBeUndefined(),
);
