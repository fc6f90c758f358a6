import { isNameServer, parseHostPort } from './host-port';

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
