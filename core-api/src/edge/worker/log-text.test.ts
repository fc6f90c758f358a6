import { quoted } from './log-text';

const HEAD = 16 * 1024;

test('a text of a request stands as it is, in ASCII', () => {
  for (const text of ['/a', '/"\\', '/\xe9\x7f\x00\n', 'a'.repeat(HEAD), '"'.repeat(HEAD / 2 - 1)]) {
    expect(JSON.parse(quoted(text))).toBe(text);
    expect(quoted(text)).toMatch(/^[\x20-\x7e]*$/);
  }
});

test('of one that escapes would make longer than a write takes whole it is the beginning', () => {
  for (const character of ['"', '\\', '\t', '\x00', '\x7f', '\xff']) {
    const text = `/${character.repeat(HEAD - 1)}`;
    const known: string = JSON.parse(quoted(text));
    expect(quoted(text).length).toBeLessThanOrEqual(HEAD);
    expect([known.length > 2_000, text.startsWith(known)]).toEqual([true, true]);
  }
});
