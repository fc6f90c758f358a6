import { fc } from '../../testing/properties';
import { isNameServer, parseHostPort, parsePort } from './host-port';

test('a port is a whole number from 1 to 65535 or the decimal digits of such a number', () => {
  fc.assert(
    fc.property(fc.integer({ min: -70_000, max: 70_000 }), (number) => {
      const port = number >= 1 && number <= 65_535 ? number : undefined;
      expect(parsePort(number)).toBe(port);
      expect(parsePort(String(number))).toBe(port);
    }),
  );
  expect(parsePort(' 8080 ')).toBe(8080);
});

test.each([0.5, '80abc', '1e3', '0x50', '+80', '', ' ', '8 0', '65536', Number.NaN, null, undefined, true, [80], {}])(
  '%p is not accepted as a port',
  (value) => expect(parsePort(value)).toBeUndefined(),
);

test.each([
  ['127.0.0.1:443', { host: '127.0.0.1', port: 443 }],
  ['[::1]:8443', { host: '::1', port: 8443 }],
  ['caddy.internal:443', { host: 'caddy.internal', port: 443 }],
])('%s is parsed as a host and a port', (text, expected) => expect(parseHostPort(text)).toEqual(expected));

test.each(['', '127.0.0.1', '::1:443', '[host]:1', 'a:0', 'a:65536', 'a b:1', 'a:1x'])(
  '%j is not parsed as a host and a port',
  (text) => expect(parseHostPort(text)).toBeUndefined(),
);

test.each(['9.9.9.9', '9.9.9.9:5353', '2620:fe::fe', '[2620:fe::fe]', '[2620:fe::fe]:53'])(
  '%s is accepted as the address of a DNS server',
  (text) => expect(isNameServer(text)).toBe(true),
);

test.each(['', 'dns.example', 'dns.example:53', '9.9.9', '9.9.9.9:x'])(
  '%j is not accepted as the address of a DNS server',
  (text) => expect(isNameServer(text)).toBe(false),
);
