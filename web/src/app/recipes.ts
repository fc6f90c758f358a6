import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react';

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
      xs: { h: '8', minW: '8', px: '2', textStyle: 'sm' },
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
      ghost: { color: 'fg.muted', _hover: { bg: 'bg.subtle', color: 'fg' } },
    },
  },
  defaultVariants: { size: 'md', variant: 'solid' },
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

const nativeSelect = defineSlotRecipe({
  className: 'select',
  slots: ['root', 'field', 'indicator'],
  base: {
    root: { display: 'flex', width: '100%', position: 'relative' },
    field: { ...entry, height: '40px', pe: '9', '& > option, & > optgroup': { bg: 'bg.panel' } },
    indicator: {
      position: 'absolute',
      insetEnd: '10px',
      top: '50%',
      transform: 'translateY(-50%)',
      color: 'fg.muted',
      pointerEvents: 'none',
    },
  },
});

const dialog = defineSlotRecipe({
  className: 'dialog',
  slots: [
    'trigger',
    'backdrop',
    'positioner',
    'content',
    'title',
    'description',
    'closeTrigger',
    'header',
    'body',
    'footer',
  ],
  base: {
    backdrop: {
      position: 'fixed',
      inset: '0',
      bg: '#0D121480',
      zIndex: 'calc({zIndex.popover} + var(--layer-index, 0) - 1)',
      _open: { animation: 'fade-in 0.18s' },
      _closed: { animation: 'fade-out 0.12s' },
    },
    positioner: {
      position: 'fixed',
      inset: '0',
      display: 'flex',
      justifyContent: 'center',
      overflow: 'auto',
      overscrollBehaviorY: 'none',
      p: '16px',
      zIndex: 'calc({zIndex.popover} + var(--layer-index, 0))',
    },
    content: {
      position: 'relative',
      display: 'flex',
      flexDirection: 'column',
      width: '100%',
      height: 'fit-content',
      marginBlock: { base: '0', md: '8vh' },
      borderRadius: 'lg',
      borderWidth: '1px',
      borderColor: 'border',
      bg: 'bg.panel',
      boxShadow: 'lg',
      outline: '0',
      _open: { animation: 'dialog-in 0.18s cubic-bezier(.2,.8,.2,1)' },
      _closed: { animation: 'dialog-out 0.12s' },
    },
    header: { px: { base: '4', md: '6' }, pt: '5', pb: '3', pe: '14' },
    title: { textStyle: 'lg', fontWeight: 'semibold' },
    description: { color: 'fg.muted' },
    body: { px: { base: '4', md: '6' }, pb: '5' },
    footer: {
      display: 'flex',
      flexWrap: 'wrap',
      justifyContent: 'flex-end',
      gap: '2',
      px: { base: '4', md: '6' },
      py: '4',
      borderTopWidth: '1px',
      borderColor: 'border',
    },
    closeTrigger: { position: 'absolute', top: '12px', insetEnd: '12px' },
  },
  variants: {
    size: {
      md: {},
      full: {
        positioner: { p: '0' },
        content: { minHeight: '100dvh', marginBlock: '0', borderRadius: '0', borderWidth: '0' },
        body: { flex: '1' },
        footer: { position: 'sticky', bottom: '0', bg: 'bg.panel' },
      },
    },
  },
  defaultVariants: { size: 'md' },
});

const tabs = defineSlotRecipe({
  className: 'tabs',
  slots: ['root', 'trigger', 'list', 'content', 'contentGroup', 'indicator'],
  base: {
    list: { display: 'flex', gap: '1', borderBottomWidth: '1px', borderColor: 'border', mb: '6' },
    trigger: {
      minH: '11',
      px: '4',
      mb: '-1px',
      borderBottomWidth: '2px',
      borderColor: 'transparent',
      color: 'fg.muted',
      fontWeight: 'medium',
      cursor: 'button',
      _hover: { color: 'fg' },
      _selected: { color: 'fg', borderColor: 'brand.solid' },
    },
    content: { outlineOffset: '4px' },
  },
});

export const recipes = { button, input, textarea, spinner };
export const slotRecipes = { nativeSelect, dialog, tabs };
