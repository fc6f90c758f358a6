import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { semanticTokens } from '../../ui/theme/tokens';

const css = readFileSync(join(__dirname, 'static.css'), 'utf8');

/** The custom properties that a rule of `static.css` sets. */
function readProperties(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  const body = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+): (#\w+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Expands `#abc` to `#aabbcc`. */
const toSixDigits = (color: string) =>
  color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}` : color.toLowerCase();

const { bg, fg, border, brand, green, ink, highlight } = semanticTokens.colors;
const sharedColors = {
  canvas: bg.DEFAULT,
  surface: bg.panel,
  subtle: bg.subtle,
  fg: fg.DEFAULT,
  muted: fg.muted,
  line: border.DEFAULT,
  edge: border.input,
  brand: brand.solid,
  'brand-hover': brand.hover,
  'on-brand': brand.contrast,
  green: green.fg,
  'green-soft': green.subtle,
};

test('the pages without React have the colours of the console', () => {
  const light = readProperties(':root');
  const dark = { ...light, ...readProperties(':root.dark') };
  for (const [name, { value }] of Object.entries(sharedColors)) {
    expect({ name, light: toSixDigits(light[name] ?? ''), dark: toSixDigits(dark[name] ?? '') }).toEqual({
      name,
      light: value.base.toLowerCase(),
      dark: value._dark.toLowerCase(),
    });
  }
  expect([light.ink, light.lime]).toEqual([ink.value.toLowerCase(), highlight.value.toLowerCase()]);
});
