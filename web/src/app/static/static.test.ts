import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CANVAS } from '../../ui/theme/canvas';
import { semanticTokens } from '../../ui/theme/tokens';

const readText = (path: string) => readFileSync(join(__dirname, path), 'utf8');

/** The colours of a rule, by custom property. A leading `\n` in `selector` excludes `.dark .console-skeleton`. */
function readProperties(css: string, selector: string): Record<string, string> {
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

/** Checks that the custom properties of a stylesheet have the colours of the console, in both themes. */
function expectColors(
  light: Record<string, string>,
  dark: Record<string, string>,
  colors: Record<string, typeof bg.DEFAULT>,
): void {
  for (const [name, { value }] of Object.entries(colors)) {
    expect({ name, light: toSixDigits(light[name] ?? ''), dark: toSixDigits(dark[name] ?? '') }).toEqual({
      name,
      light: value.base.toLowerCase(),
      dark: value._dark.toLowerCase(),
    });
  }
}

test('the pages without React have the colours of the console', () => {
  const css = readText('static.css');
  const light = readProperties(css, ':root');
  expectColors(
    light,
    { ...light, ...readProperties(css, ':root.dark') },
    {
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
    },
  );
  expect([light.ink, light.lime]).toEqual([ink.value.toLowerCase(), highlight.value.toLowerCase()]);
});

test('the skeleton of the console has the colours of the console', () => {
  const css = readText('../console-skeleton.css');
  expectColors(readProperties(css, '\n.console-skeleton'), readProperties(css, '.dark .console-skeleton'), {
    ground: bg.DEFAULT,
    panel: bg.panel,
    line: border.DEFAULT,
    bone: bg.subtle,
    ink: fg.DEFAULT,
    mark: brand.solid,
  });
});

test('the manifest of the site has the light background', () => {
  const manifest = JSON.parse(readText('../../../public/site.webmanifest'));
  const color = CANVAS.light.toLowerCase();
  expect(manifest).toMatchObject({ background_color: color, theme_color: color });
});
