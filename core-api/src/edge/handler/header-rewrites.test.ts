import { measureFastestRunMs } from '../../testing/cost';
import { makeCookiesHostOnly } from './header-rewrites';

const rewriteCookie = makeCookiesHostOnly(['studio.example']);
const rewriteAttributes = (attributes: string): string =>
  rewriteCookie('set-cookie', '', `Set-Cookie: a=b${attributes}\r\n`).slice('Set-Cookie: a=b'.length, -2);

/** Decodes the UTF-8 bytes of a text as Latin-1, like the engine when it parses header lines. */
const toLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

test.each([
  ['; Domain=studio.example; Path=/', '; Path=/'],
  ['; Path=/;\tdomain = ".Studio.Example."', '; Path=/'],
  ['; domain=example', ''],
  ['; Domain=x.example; DOMAIN=studio.example ;Secure', '; Domain=x.example;Secure'],
  ['; Domain=loja.studio.example', '; Domain=loja.studio.example'],
  ['; Domain=dio.example', '; Domain=dio.example'],
  ['; Domain=; Secure', '; Domain=; Secure'],
  ['; Domain=studio.example x', '; Domain=studio.example x'],
  ['; xdomain=studio.example', '; xdomain=studio.example'],
  // Chromium normalizes the following domains to studio.example.
  [toLatin1('; Domain=s\u00adtudio.example; Path=/'), '; Path=/'],
  [toLatin1('; Domain=\uff53tudio.example'), ''],
  [toLatin1('; Domain=studio\u3002example; Secure'), '; Secure'],
  ['; Domain=%73tudio.example', ''],
])('the attributes %j of a cookie become %j', (sent, received) => {
  expect(rewriteAttributes(sent)).toBe(received);
});

test('the time to rewrite a cookie grows linearly with its blanks', () => {
  const length = 15_000;
  const blanksMs = measureFastestRunMs(() => rewriteAttributes(`; domain=${' '.repeat(length)}x y`));
  // A regular expression that backtracks from each blank would take a thousand times as long.
  expect(blanksMs / measureFastestRunMs(() => rewriteAttributes(`; domain=${'x'.repeat(length)}`))).toBeLessThan(100);
});
