import { fc } from '../../testing/properties';
import { parseDomainName, parseHostHeader, parseLabel } from './hostname';

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9]{0,20}[a-z0-9])?$/);

describe('labels', () => {
  test('a label is trimmed and lower-cased', () => {
    fc.assert(
      fc.property(label, fc.constantFrom('', ' ', '\t\n'), (text, space) => {
        expect(parseLabel(`${space}${text.toUpperCase()}${space}`)).toBe(text);
      }),
    );
    expect(parseLabel('a'.repeat(63))).toBe('a'.repeat(63));
    expect(parseLabel('a-b--c')).toBe('a-b--c');
    expect(parseLabel('xn--caf-dma')).toBe('xn--caf-dma');
  });

  test('every accepted text is a label by RFC 1123', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'Z', '0', '-', '.', '_', ' ', 'á', '\0'), maxLength: 8 }),
        (text) => {
          const parsed = parseLabel(text);
          if (parsed !== undefined) expect(parsed).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
        },
      ),
    );
  });

  test.each(['', '-a', 'a-', 'a..b', 'a.b', '..', 'a'.repeat(64), 'á', 'a\0b', 'a_b', 'ab--c', 'xn--\u0301'])(
    '%j is not accepted as a label',
    (text) => expect(parseLabel(text)).toBeUndefined(),
  );
});

describe('domain names', () => {
  test('a domain name is lower-cased and its root dot is removed', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
        const name = `${labels.join('.')}.com`;
        expect(parseDomainName(` ${name.toUpperCase()}. `)).toBe(name);
      }),
    );
    expect(parseDomainName('Padaria-do-Zé.com.br')).toBe('xn--padaria-do-z-meb.com.br');
  });

  test.each([
    ['', 'empty'],
    ['localhost', 'one label'],
    ['1.2.3.4', 'an address'],
    ['[::1]', 'an address'],
    ['0x7f.1', 'a hexadecimal address'],
    ['a.123', 'a numeric top-level domain'],
    ['https://a.com', 'a scheme'],
    ['a.com/x', 'a path'],
    ['a.com:80', 'a port'],
    ['u@a.com', 'a user'],
    ['*.a.com', 'a wildcard'],
    ['a b.com', 'a space'],
    ['a..com', 'an empty label'],
    ['.com', 'an empty label'],
    ['a.com..', 'two root dots'],
    ['a_b.com', 'an underscore'],
    ['a%2ecom.br', 'an escape'],
    ['javascript:alert(1)', 'a script'],
    [`${'a'.repeat(64)}.com`, 'a long label'],
    [`${'a.'.repeat(127)}com`, 'a long name'],
  ])('%j is not accepted as a domain name (%s)', (text) => expect(parseDomainName(text)).toBeUndefined());
});

test.each([
  ['Loja.LOCALHOST:3000', 'loja.localhost'],
  ['loja.localhost.', 'loja.localhost'],
  ['loja.localhost.:3000', 'loja.localhost'],
  ['[::1]:3000', '[::1]'],
  ['[::1]', '[::1]'],
])('the host of the header Host: %s is %s', (header, host) => expect(parseHostHeader(header)).toBe(host));
