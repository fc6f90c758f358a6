import { createSystem, defineConfig, mergeConfigs } from '@chakra-ui/react';
import { defaultBaseConfig } from '@chakra-ui/react/preset-base';
import * as controls from './controlRecipes';
import { dialog, drawer } from './dialogRecipe';
import { layerStyles } from './layerStyles';
import { alert, card, emptyState, tabs } from './surfaceRecipes';
import { table } from './tableRecipe';
import { semanticTokens, tokens } from './tokens';

const { button, input, link, textarea, spinner, ...slotControls } = controls;

const config = defineConfig({
  preflight: true,
  cssVarsPrefix: 'ui',
  cssVarsRoot: ':root',
  globalCss: {
    html: {
      color: 'fg',
      bg: 'bg',
      lineHeight: '1.5',
      colorPalette: 'brand',
      scrollPaddingTop: '112px',
      textSizeAdjust: '100%',
    },
    body: { fontFamily: 'body', textStyle: 'sm', overflowWrap: 'break-word' },
    'h1, h2, h3': { textWrap: 'balance', letterSpacing: '-0.02em', fontWeight: 'semibold' },
    '*::placeholder': { color: 'fg.muted', opacity: 1 },
    '*::selection': { bg: 'highlight', color: 'ink' },
    ':focus-visible': { outline: '2px solid', outlineColor: 'brand.solid', outlineOffset: '2px', borderRadius: 'xs' },
    /** Every `<small>` is a muted note. */
    small: { textStyle: 'xs', color: 'fg.muted' },
    'table, time, output': { fontVariantNumeric: 'tabular-nums' },
    'code, kbd, samp': { fontFamily: 'mono' },
  },
  theme: {
    // From `xl` on the top bar shows its links, as in `TopBar.module.css`; from `2xl` on the wizard begins as one line.
    breakpoints: { sm: '480px', md: '768px', lg: '1024px', xl: '1100px', '2xl': '1200px' },
    keyframes: {
      spin: { to: { transform: 'rotate(360deg)' } },
      'dialog-in': { from: { opacity: 0, transform: 'translateY(8px)' } },
      'fade-in': { from: { opacity: 0 } },
      pulse: { '50%': { opacity: 0.5 } },
      'fade-ends': {
        '0%': { '--fade-end': '48px' },
        '20%': { '--fade-start': '48px' },
        '80%': { '--fade-end': '48px' },
        '100%': { '--fade-start': '48px' },
      },
    },
    layerStyles,
    textStyles: {
      xs: { value: { fontSize: '13px', lineHeight: '18px' } },
      sm: { value: { fontSize: '14px', lineHeight: '20px' } },
      md: { value: { fontSize: '16px', lineHeight: '24px' } },
      lg: { value: { fontSize: '20px', lineHeight: '28px' } },
    },
    tokens,
    semanticTokens,
    recipes: { button, input, link, textarea, spinner },
    slotRecipes: { ...slotControls, alert, card, dialog, drawer, emptyState, table, tabs },
  },
});

/**
 * Chakra with the product's own tokens and recipes. `defaultSystem` would add 22 kB of recipes that no screen uses. A
 * recipe lists only the slots that it styles, because Chakra's `anatomy` module contains the slots of sixty components.
 */
export const system = createSystem(mergeConfigs(defaultBaseConfig, config));
