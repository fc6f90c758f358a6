import { parsePageOrigin } from './page-origin';

test.each([
  ['https://app.exemplo.com', 'https://app.exemplo.com'],
  [' HTTPS://App.Exemplo.com:443/ ', 'https://app.exemplo.com'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['http://127.0.0.1:80', 'http://127.0.0.1'],
  ['https://[::1]:3000', 'https://[::1]:3000'],
  ['https://padaria-do-zé.com.br', 'https://xn--padaria-do-z-meb.com.br'],
  ['capacitor://localhost', 'capacitor://localhost'],
])('%s is stored as the origin %s', (text, origin) => {
  expect(parsePageOrigin(text)).toBe(origin);
});

test.each([
  ...['null', '*', 'app.exemplo.com', 'https://', 'https://*.exemplo.com', 'https://a..exemplo.com', 'https://a,b'],
  ...[
    'https://a.com,https://b.com',
    'https://a.com/caminho',
    'https://a.com?x',
    'https://eu@a.com',
    'https://a.com:99999',
  ],
  ...['https://a"b.com', 'https://a.com\r\nX: y', 'https://a b.com', 'app://'],
])('%j is not accepted as an origin', (text) => {
  expect(parsePageOrigin(text)).toBeUndefined();
});
