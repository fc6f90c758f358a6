import { Global, type Interpolation, type Theme } from '@emotion/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { controls } from './src/ui/theme/controls.ts';
import { system } from './src/ui/theme/system.ts';

/** Styles of Chakra's as the text that its own provider would write into the page. */
const textOf = (styles: unknown): string =>
  renderToStaticMarkup(createElement(Global, { styles: styles as Interpolation<Theme> })).replace(
    /<\/?style[^>]*>/g,
    '',
  );

type Styles = Parameters<typeof system.css>[0];

/** A recipe as rules: `.ui-button` has its base, `.ui-button[data-size="sm"]` what a variant adds. */
function rulesOf({ className = '', base = {}, variants = {} }: Recipe): [selector: string, styles: Styles][] {
  const selector = `.ui-${className}`;
  const ofVariants = Object.entries(variants).flatMap(([variant, options]) =>
    Object.entries(options).map(([option, styles]): [string, Styles] => [
      `${selector}[data-${variant}="${option}"]`,
      styles,
    ]),
  );
  return [[selector, base], ...ofVariants];
}
interface Recipe {
  className?: string;
  base?: Styles;
  variants?: Record<string, Record<string, Styles>>;
}

function stylesheet(): string {
  const recipes: readonly Recipe[] = controls;
  const rules = recipes.flatMap(rulesOf).map(([selector, styles]) => [selector, system.css(styles)]);
  return (
    system.layers.atRule + textOf(system._global) + textOf(system.layers.wrap('recipes', Object.fromEntries(rules)))
  );
}

const NAME = 'virtual:chakra.css';
const ID = '/__chakra.css';

/**
 * `virtual:chakra.css`: tokens, reset, global styles and controls, written by Chakra when the app is built, so that no page
 * brings the style system for its first paint. It comes with the dialogs.
 */
export const chakraCss = (): Plugin => ({
  name: 'chakra-css',
  resolveId: (id) => (id === NAME ? ID : undefined),
  load: (id) => (id === ID ? stylesheet() : undefined),
});
