import { fc } from '../../testing/properties';
import {
  canFill,
  compileDestination,
  formatOriginKey,
  formatPattern,
  parsePattern,
  type RoutePattern,
} from './route-pattern';

const parse = (text: string): RoutePattern => {
  const pattern = parsePattern(text);
  if (!pattern) throw new Error(`no pattern: ${text}`);
  return pattern;
};
const fill = (origin: string, destination: string, values: string[], rest = '') =>
  compileDestination(parse(destination), parse(origin))(values, rest);

const literal = fc.stringMatching(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,8}$/);
const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,5}$/);

describe('route patterns', () => {
  test('a parsed pattern is formatted as its original text', () => {
    const part = fc.oneof(
      literal,
      name.map((text) => `:${text}`),
    );
    fc.assert(
      fc.property(fc.uniqueArray(part, { maxLength: 6 }), fc.constantFrom('', '/', '/*'), (parts, end) => {
        const text = parts.map((segment) => `/${segment}`).join('') + end || '/';
        expect(formatPattern(parse(text))).toBe(text);
      }),
    );
  });

  test('origins that differ only in case, parameter names or a trailing slash have the same key', () => {
    fc.assert(
      fc.property(literal, name, name, (text, firstName, otherName) => {
        const key = formatOriginKey(parse(`/${text}/:${firstName}`));
        expect(formatOriginKey(parse(`/${text.toUpperCase()}/:${otherName}/`))).toBe(key);
        expect(formatOriginKey(parse(`/${text}/${firstName}`))).not.toBe(key);
        expect(formatOriginKey(parse(`/${text}/:${firstName}/*`))).not.toBe(key);
      }),
    );
    expect(formatOriginKey(parse('/relatórios'))).toBe(formatOriginKey(parse('/relat%c3%b3rios')));
    expect(formatOriginKey(parse('/%61'))).toBe('/a');
  });

  test.each([
    ['', 'empty'],
    ['a', 'relative'],
    ['http://x/a', 'absolute URL'],
    ['/a//b', 'empty segment'],
    ['/a/../b', 'dot segment'],
    ['/a/%2e%2e', 'encoded dot segment'],
    ['/a?b=1', 'query'],
    ['/a#b', 'fragment'],
    ['/a;b', 'segment parameter'],
    ['/a%2fb', 'encoded slash'],
    ['/a b', 'space'],
    ['/a*', 'star inside a segment'],
    ['/*/a', 'star before the end'],
    ['/:a/:a', 'repeated name'],
    ['/:', 'missing name'],
    ['/:1', 'name that begins with a digit'],
    ['/:a-b', 'name with a hyphen'],
    ['/{id}', 'braces'],
    ['/\ud800', 'lone surrogate'],
    [`/${'a'.repeat(1024)}`, 'too long'],
  ])('%j is not a pattern: %s', (text) => expect(parsePattern(text)).toBeUndefined());

  test('a destination may use only the parameters and the wildcard of its origin', () => {
    expect(canFill(parse('/v1/:b/:a/*'), parse('/x/:a/:b/*'))).toBe(true);
    expect(canFill(parse('/v1'), parse('/x/:a/*'))).toBe(true);
    expect(canFill(parse('/v1/:c'), parse('/x/:a'))).toBe(false);
    expect(canFill(parse('/v1/*'), parse('/x'))).toBe(false);
  });

  test('parameter values are forwarded as received, at the positions of their names', () => {
    const value = fc.stringMatching(/^[a-z%0-9]{1,8}$/);
    fc.assert(
      fc.property(value, value, literal, (a, b, text) => {
        expect(fill('/x/:a/:b', `/${text}/:b/:a`, [a, b])).toBe(`/${text}/${b}/${a}`);
        expect(fill('/x/:a/:b', '/:b/', [a, b])).toBe(`/${b}/`);
        expect(fill('/:a/*', `/:a/${text}/*`, [a], `/${b}/`)).toBe(`/${a}/${text}/${b}/`);
      }),
    );
  });

  test.each([
    ['/', '/', '', '/'],
    ['/*', '/*', '', '/'],
    ['/*', '/*', '/', '/'],
    ['/*', '/*', '/a/b', '/a/b'],
    ['/a/*', '/b/*', '', '/b'],
    ['/a/*', '/b/*', '/', '/b/'],
    ['/a/*', '/b', '/c', '/b'],
    ['/a/', '/b/', '', '/b/'],
  ])("a route from %s to %s forwards the wildcard's rest %j to the path %s", (origin, destination, rest, path) =>
    expect(fill(origin, destination, [], rest)).toBe(path),
  );
});
