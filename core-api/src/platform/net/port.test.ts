import { fc } from '../../testing/properties';
import { parsePort } from './host-port';

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
