import { createSystem, defineConfig, mergeConfigs } from '@chakra-ui/react';
import { defaultBaseConfig } from '@chakra-ui/react/preset-base';
// With their extensions, since the configuration of the build reads this file, too.
import { dialog } from './dialog.ts';
import { semanticTokens, tokens } from './tokens.ts';

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
    ':focus-visible': { outline: '2px solid', outlineColor: 'brand.solid', outlineOffset: '2px' },
    'table, time, output': { fontVariantNumeric: 'tabular-nums' },
    'code, kbd, samp': { fontFamily: 'mono' },
  },
  theme: {
    breakpoints: { sm: '480px', md: '768px', lg: '1024px', xl: '1280px' },
    keyframes: {
      spin: { to: { transform: 'rotate(360deg)' } },
      'dialog-in': { from: { opacity: 0, transform: 'translateY(8px)' } },
      'dialog-out': { to: { opacity: 0 } },
      'fade-in': { from: { opacity: 0 } },
      'fade-out': { to: { opacity: 0 } },
    },
    textStyles: {
      sm: { value: { fontSize: '14px', lineHeight: '20px' } },
      md: { value: { fontSize: '16px', lineHeight: '24px' } },
      lg: { value: { fontSize: '20px', lineHeight: '28px' } },
    },
    tokens,
    semanticTokens,
    slotRecipes: { dialog },
  },
});

/**
 * Chakra with the product's own tokens. Its global styles and the controls are in the stylesheet of the build
 * (`chakra-css.ts`); what runs in the browser are the dialogs.
 */
export const system = createSystem(mergeConfigs(defaultBaseConfig, config));

/** The same without its global styles: every page has them already. */
export const dialogSystem: typeof system = { ...system, _global: [] };
