import { quoteAscii } from './log-json';

const MAX_HEAD_BYTES = 16 * 1024;

test('the access log writes the text of a request in ASCII', () => {
  for (const text of [
    '/a',
    '/"\\',
    '/\xe9\x7f\x00\n',
    'a'.repeat(MAX_HEAD_BYTES),
    '"'.repeat(MAX_HEAD_BYTES / 2 - 1),
  ]) {
    expect(JSON.parse(quoteAscii(text))).toBe(text);
    expect(quoteAscii(text)).toMatch(/^[\x20-\x7e]*$/);
  }
});

test('a text that is too long for an atomic write because of its escapes is truncated', () => {
  for (const character of ['"', '\\', '\t', '\x00', '\x7f', '\xff']) {
    const text = `/${character.repeat(MAX_HEAD_BYTES - 1)}`;
    const parsed: string = JSON.parse(quoteAscii(text));
    expect(quoteAscii(text).length).toBeLessThanOrEqual(MAX_HEAD_BYTES);
    expect([parsed.length > 2_000, text.startsWith(parsed)]).toEqual([true, true]);
  }
});
