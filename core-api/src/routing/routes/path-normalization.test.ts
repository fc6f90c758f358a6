import { measureFastestRunMs } from '../../testing/cost';
import { fc } from '../../testing/properties';
import { canonicalizePath } from './path-normalization';

const plainSegment = fc.stringMatching(/^[A-Za-z0-9_~!$&'()*+,=:@-][A-Za-z0-9._~!$&'()*+,=:@-]{0,12}$/);
const path = fc.array(plainSegment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`);

const PERMITTED_ESCAPE = '%(?!2F|3B|5C|[01]|7F)[0-9A-F]{2}';
const SEGMENT = `(?!\\.{0,2}(?:/|$))(?:[^/;\\\\\\s%]|${PERMITTED_ESCAPE})+`;
/** `/`, or segments that are neither empty nor dot segments, with or without a slash at the end. */
const CANONICAL_PATH = new RegExp(`^/$|^(?:/${SEGMENT})+/?$`);

describe('request paths', () => {
  test('a normal path stays unchanged, with or without a trailing slash', () => {
    fc.assert(
      fc.property(path, (text) => {
        expect(canonicalizePath(text)).toBe(text);
        if (text !== '/') expect(canonicalizePath(`${text}/`)).toBe(`${text}/`);
      }),
    );
  });

  test('escaped unreserved characters are decoded', () => {
    fc.assert(
      fc.property(path, fc.infiniteStream(fc.boolean()), (text, choose) => {
        const escaped = text.replace(/[A-Za-z0-9_~-]/g, (character) =>
          choose.next().value ? `%${character.charCodeAt(0).toString(16)}` : character,
        );
        expect(canonicalizePath(escaped)).toBe(text);
      }),
    );
  });

  test('a doubly encoded text stays one segment and keeps its escapes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const escaped = `/a/${encodeURIComponent(encodeURIComponent(text)).replaceAll('.', '%252E')}`;
        expect(canonicalizePath(escaped)).toBe(escaped);
      }),
    );
  });

  test('normalizing twice gives the same path as normalizing once', () => {
    const piece = fc.constantFrom(
      '/',
      '.',
      '..',
      '%',
      '%2',
      '%2e',
      '%2F',
      '%3B',
      '%c3%a9',
      '%C3',
      'a',
      ';',
      '\\',
      '%00',
      'é',
      ' ',
      '%25',
      '?',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (parts) => {
        const canonical = canonicalizePath(`/${parts.join('')}`);
        if (canonical === null) return;
        expect(canonicalizePath(canonical)).toBe(canonical);
        expect(canonical).toMatch(CANONICAL_PATH);
      }),
      { numRuns: 2000 },
    );
  });

  test('the time to normalize a path grows linearly with its number of escapes', () => {
    const measureRepeated = (text: string) =>
      measureFastestRunMs(() => Array.from({ length: 50 }, () => canonicalizePath(text)));
    const plainCost = measureRepeated(`/${'a/'.repeat(7_000)}a`);
    for (const escaped of ['%C3%A9/', '%41b'])
      expect(measureRepeated(`/${escaped.repeat(2_000)}x`) / plainCost).toBeLessThan(6);
  });

  test.each([
    ['/%61dmin', '/admin'],
    ['/%252e%252e/x', '/%252e%252e/x'],
    ['/%252E', '/%252E'],
    ['/a%c3%a9', '/a%C3%A9'],
    ['/a%20b%2bc', '/a%20b%2Bc'],
    ['/...', '/...'],
    ['/.a/..b', '/.a/..b'],
    ['/%2e%2e%2e', '/...'],
  ])('%s is normalized to %s', (text, normalized) => expect(canonicalizePath(text)).toBe(normalized));

  test.each([
    ['', 'empty text'],
    ['*', 'asterisk form'],
    ['a/b', 'not absolute'],
    ['/a//b', 'empty segment'],
    ['//', 'empty segment'],
    ['/a//', 'empty segment at the end'],
    ['/.', 'dot segment'],
    ['/a/./b', 'dot segment'],
    ['/..', 'above the root'],
    ['/a/../b', 'dot segments'],
    ['/a/..', 'dot segments at the end'],
    ['/%2e', 'encoded dot segment'],
    ['/a/%2E%2e/b', 'encoded dot segments'],
    ['/a/.%2e', 'partly encoded dot segments'],
    ['/a;b', 'parameter of a segment'],
    ['/a%2fb', 'encoded slash'],
    ['/a%5Cb', 'encoded backslash'],
    ['/pub/..%3B/admin', 'encoded semicolon'],
    ['/a%3bb', 'encoded semicolon'],
    ['/a\\b', 'backslash'],
    ['/a%00', 'encoded NUL'],
    ['/a%0d%0ab', 'encoded line break'],
    ['/a\u0001', 'raw control'],
    ['/a\u007f', 'raw DEL'],
    ['/a b', 'space'],
    ['/a#b', 'fragment'],
    ['/é', 'raw bytes beyond ASCII'],
    ['/%zz', 'escape without hexadecimal digits'],
    ['/%', 'incomplete escape'],
    ['/%4', 'incomplete escape'],
    ['/%41%', 'incomplete escape after a complete escape'],
    ['/%c0%ae', 'overlong UTF-8'],
    ['/%e0%80%af', 'overlong UTF-8'],
    ['/%c3', 'incomplete UTF-8'],
    ['/%c3a', 'incomplete UTF-8 before a letter'],
    ['/%ff', 'invalid UTF-8'],
    ['/%ed%a0%80', 'surrogate'],
  ])('%j is refused: %s', (text) => expect(canonicalizePath(text)).toBeNull());
});
