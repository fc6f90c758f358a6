import { quoteAscii } from './log-json';

const HEAD = 16 * 1024;

test('text of a request is written in ASCII', () => {
  for (const text of ['/a', '/"\\', '/\xe9\x7f\x00\n', 'a'.repeat(HEAD), '"'.repeat(HEAD / 2 - 1)]) {
    expect(JSON.parse(quoteAscii(text))).toBe(text);
    expect(quoteAscii(text)).toMatch(/^[\x20-\x7e]*$/);
  }
});

test('a text that its escapes make too long for an atomic write is truncated', () => {
  for (const character of ['"', '\\', '\t', '\x00', '\x7f', '\xff']) {
    const text = `/${character.repeat(HEAD - 1)}`;
    const parsed: string = JSON.parse(quoteAscii(text));
    expect(quoteAscii(text).length).toBeLessThanOrEqual(HEAD);
    expect([parsed.length > 2_000, text.startsWith(parsed)]).toEqual([true, true]);
  }
});
