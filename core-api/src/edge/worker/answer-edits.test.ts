import { costOf } from '../../testing/cost';
import { hostOnlyCookies } from './answer-edits';

const edit = hostOnlyCookies('studio.example');
const edited = (attributes: string): string => edit('set-cookie', '', `Set-Cookie: a=b${attributes}\r\n`).slice(15, -2);

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
])('%j of a cookie becomes %j', (said, passed) => {
  expect(edited(said)).toBe(passed);
});

test('a cookie of an upstream is read once, however many blanks it has', () => {
  const long = 15_000;
  const blanks = costOf(() => edited(`; domain=${' '.repeat(long)}x y`));
  // Read again from each of them, they cost some thousand times as much as other text.
  expect(blanks / costOf(() => edited(`; domain=${'x'.repeat(long)}`))).toBeLessThan(100);
});
