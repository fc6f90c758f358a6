import { parseUrl } from './parse-url';

test('each of 20,000 calls parses a name with letters outside of ASCII, unlike URL.canParse of Node 20', () => {
  for (let call = 0; call < 20_000; call += 1)
    if (parseUrl('http://ação.com.br/')?.host !== 'xn--ao-siap.com.br') throw new Error(`call ${call}`);
});

test.each(['', '/path', 'http://', 'http://a:99999/'])('%j is not parsed as a URL', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

test('a path is parsed relative to a base', () => {
  expect(parseUrl('/b', 'http://a.com/c')?.href).toBe('http://a.com/b');
});
