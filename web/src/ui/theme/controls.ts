import { defineRecipe } from '@chakra-ui/react';

/** Text entry: 16 px on a phone, where smaller type makes browsers zoom in. */
const entry = {
  width: '100%',
  minWidth: '0',
  appearance: 'none',
  px: '3',
  borderWidth: '1px',
  borderColor: 'border.input',
  borderRadius: 'sm',
  bg: 'bg.panel',
  color: 'fg',
  fontSize: { base: '16px', md: '14px' },
  lineHeight: '20px',
  transition: 'border-color 0.12s',
  _hover: { borderColor: 'fg.muted' },
  _focusVisible: { outline: '2px solid', outlineColor: 'brand.solid', outlineOffset: '-1px' },
  _invalid: { borderColor: 'border.error' },
  _disabled: { bg: 'bg.subtle', color: 'fg.muted', cursor: 'not-allowed' },
  _readOnly: { bg: 'bg.subtle' },
} as const;

const button = defineRecipe({
  className: 'button',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '2',
    flexShrink: '0',
    borderWidth: '1px',
    borderColor: 'transparent',
    borderRadius: 'sm',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
    cursor: 'button',
    transition: 'background-color 0.12s, border-color 0.12s, color 0.12s',
    _disabled: { opacity: '0.5', cursor: 'not-allowed' },
    _icon: { width: '16px', height: '16px', flexShrink: '0' },
  },
  variants: {
    size: {
      sm: { h: '9', minW: '9', px: '3', textStyle: 'sm' },
      md: { h: '10', minW: '10', px: '4', textStyle: 'sm' },
      lg: { h: '11', minW: '11', px: '5', textStyle: 'md' },
    },
    variant: {
      solid: {
        bg: 'colorPalette.solid',
        color: 'colorPalette.contrast',
        fontWeight: 'semibold',
        _hover: { bg: 'colorPalette.hover' },
      },
      outline: { borderColor: 'border.input', bg: 'bg.panel', _hover: { bg: 'bg.subtle' } },
    },
    danger: { true: { colorPalette: 'danger' } },
  },
});

const input = defineRecipe({ className: 'input', base: { ...entry, height: '40px' } });
const textarea = defineRecipe({ className: 'textarea', base: { ...entry, py: '2.5', minHeight: '96px' } });

const spinner = defineRecipe({
  className: 'spinner',
  base: {
    display: 'inline-block',
    width: '16px',
    height: '16px',
    borderWidth: '2px',
    borderColor: 'currentColor',
    borderRadius: 'full',
    borderBottomColor: 'transparent',
    borderInlineStartColor: 'transparent',
    animation: 'spin 0.6s linear infinite',
  },
});

const select = defineRecipe({ className: 'select', base: { display: 'flex', width: '100%', position: 'relative' } });
const selectField = defineRecipe({
  className: 'select-field',
  base: { ...entry, height: '40px', pe: '9', '& > option, & > optgroup': { bg: 'bg.panel' } },
});
const selectIndicator = defineRecipe({
  className: 'select-indicator',
  base: {
    position: 'absolute',
    insetEnd: '10px',
    top: '50%',
    transform: 'translateY(-50%)',
    color: 'fg.muted',
    pointerEvents: 'none',
  },
});

/** The controls, as the stylesheet of the build has them (`.ui-button`, `[data-size="sm"]`). */
export const controls = [button, input, textarea, spinner, select, selectField, selectIndicator];
