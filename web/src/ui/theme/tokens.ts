import { defineSemanticTokens, defineTokens } from '@chakra-ui/react/styled-system';
import { CANVAS } from './canvas';

const gridSteps = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24];
/** A 4 px grid: a step of 1 is 0.25 rem. */
const grid = Object.fromEntries(gridSteps.map((step) => [step, { value: `${step / 4}rem` }]));

/** A colour for the light and the dark theme. */
const createColorPair = (light: string, dark: string) => ({ value: { base: light, _dark: dark } });

/** The colours of a chip: its text and its background. */
const createChipColors = (fg: [string, string], subtle: [string, string]) => ({
  fg: createColorPair(...fg),
  subtle: createColorPair(...subtle),
});

export const tokens = defineTokens({
  spacing: grid,
  sizes: { ...grid, full: { value: '100%' } },
  radii: {
    '2xs': { value: '2px' },
    xs: { value: '4px' },
    sm: { value: '6px' },
    md: { value: '10px' },
    lg: { value: '14px' },
    full: { value: '999px' },
  },
  fonts: {
    body: { value: '"Geist Variable", "Geist Fallback", system-ui, sans-serif' },
    mono: { value: '"Geist Mono Variable", ui-monospace, SFMono-Regular, Menlo, monospace' },
  },
  fontWeights: { normal: { value: '400' }, medium: { value: '500' }, semibold: { value: '600' } },
  zIndex: { popover: { value: 1500 } },
  cursor: { button: { value: 'pointer' } },
});

/** Contrasts in both themes: text at least 4.9:1, borders of inputs 3.4:1, chips 5.6:1. */
export const semanticTokens = defineSemanticTokens({
  colors: {
    ink: { value: '#14181F' },
    highlight: { value: '#D3F26A' },
    bg: {
      DEFAULT: createColorPair(CANVAS.light, CANVAS.dark),
      panel: createColorPair('#FFFFFF', '#141B1E'),
      subtle: createColorPair('#F1F1EC', '#1C2528'),
    },
    fg: {
      DEFAULT: createColorPair('#14181F', '#ECEFEC'),
      muted: createColorPair('#535B66', '#9CA8AB'),
      error: createColorPair('#B42318', '#FF8A80'),
    },
    border: {
      DEFAULT: createColorPair('#E3E3DC', '#263136'),
      input: createColorPair('#868C85', '#657277'),
      error: createColorPair('#B42318', '#FF8A80'),
    },
    brand: {
      solid: createColorPair('#0B5D5E', '#5FD6CB'),
      hover: createColorPair('#094A4B', '#8BE4DB'),
      contrast: createColorPair('#FFFFFF', '#06201F'),
      fg: createColorPair('#0B5D5E', '#5FD6CB'),
      subtle: createColorPair('#E2F0EE', '#12302F'),
    },
    danger: {
      solid: createColorPair('#C02626', '#C62F2F'),
      hover: createColorPair('#A11F1F', '#D24343'),
      contrast: { value: '#FFFFFF' },
      fg: createColorPair('#B42318', '#FF8A80'),
    },
    green: createChipColors(['#14602F', '#7FE0A0'], ['#DDF5E3', '#12331F']),
    blue: createChipColors(['#1D4ED8', '#9CC2FF'], ['#E2ECFF', '#152A52']),
    orange: createChipColors(['#8F3D06', '#FFBE85'], ['#FFEBD6', '#40230A']),
    red: createChipColors(['#A61B1B', '#FFA8A0'], ['#FDE3E1', '#461716']),
    purple: createChipColors(['#6528B8', '#D2B4FF'], ['#F0E6FE', '#311A54']),
  },
  shadows: {
    lg: {
      value: { base: '0 1px 2px #14181f14, 0 12px 32px #14181f1f', _dark: '0 1px 2px #0006, 0 12px 32px #000a' },
    },
  },
});
