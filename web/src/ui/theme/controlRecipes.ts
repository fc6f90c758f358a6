import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react';

const FOCUS_RING = { outline: '2px solid', outlineColor: 'brand.solid', outlineOffset: '2px' } as const;

/** Text in fields has 16 px on a phone, because browsers zoom in on smaller text. */
const textEntry = {
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

export const button = defineRecipe({
  className: 'ui-button',
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
      xs: { h: '7', minW: '7', px: '1', textStyle: 'sm' },
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
      outline: { borderColor: 'border.input', bg: 'bg.panel', color: 'fg', _hover: { bg: 'bg.subtle' } },
      ghost: { color: 'fg.muted', _hover: { bg: 'bg.subtle', color: 'fg' } },
      /** Looks like a link, for an action within a message. */
      plain: {
        h: 'auto',
        minW: '0',
        px: '0',
        borderWidth: '0',
        fontSize: 'inherit',
        lineHeight: 'inherit',
        color: 'colorPalette.fg',
        fontWeight: 'semibold',
        textDecoration: 'underline',
        textUnderlineOffset: '3px',
      },
    },
  },
  defaultVariants: { size: 'md', variant: 'solid' },
});

export const link = defineRecipe({
  className: 'ui-link',
  base: { color: 'brand.fg', textUnderlineOffset: '3px' },
  variants: {
    variant: { underline: { textDecoration: 'underline' }, plain: { _hover: { textDecoration: 'underline' } } },
  },
  defaultVariants: { variant: 'underline' },
});

export const input = defineRecipe({ className: 'ui-input', base: { ...textEntry, height: '40px' } });

export const textarea = defineRecipe({
  className: 'ui-textarea',
  base: { ...textEntry, py: '2.5', minHeight: '96px' },
});

export const spinner = defineRecipe({
  className: 'ui-spinner',
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

/** The recipe of selects above lists and in fields. It has the slots of Chakra's NativeSelect. */
export const nativeSelect = defineSlotRecipe({
  className: 'ui-select',
  slots: ['root', 'field', 'indicator'],
  base: {
    root: { display: 'flex', position: 'relative', width: '100%', minWidth: '0' },
    field: {
      ...textEntry,
      height: '40px',
      pe: '9',
      textOverflow: 'ellipsis',
      '& > option, & > optgroup': { bg: 'bg.panel' },
    },
    indicator: {
      position: 'absolute',
      insetEnd: '10px',
      top: '50%',
      transform: 'translateY(-50%)',
      color: 'fg.muted',
      pointerEvents: 'none',
      _icon: { width: '16px', height: '16px' },
    },
  },
});

/** The asterisk is hidden from screen readers, which announce `required`. */
const requiredMark = {
  '&[data-required]::after': { content: '"*" / ""', marginInlineStart: '3px', color: 'fg.error' },
} as const;
const label = { fontSize: '14px', fontWeight: 'medium', lineHeight: '20px', ...requiredMark } as const;
const errorText = { display: 'block', textStyle: 'xs', color: 'fg.error' } as const;

export const field = defineSlotRecipe({
  className: 'ui-field',
  slots: ['root', 'label', 'errorText', 'helperText'],
  base: {
    root: { display: 'grid', alignContent: 'start', gap: '1.5', minWidth: '0' },
    label: {
      ...label,
      '& > small': {
        marginInlineStart: '1.5',
        fontWeight: 'normal',
        // Another line height would make this label higher than the labels beside it.
        lineHeight: '1',
      },
    },
    errorText,
    helperText: {
      textStyle: 'xs',
      color: 'fg.muted',
      '& a': { color: 'brand.fg', fontWeight: 'medium', textDecoration: 'underline', textUnderlineOffset: '3px' },
    },
  },
});

export const fieldset = defineSlotRecipe({
  className: 'ui-fieldset',
  slots: ['root', 'legend', 'errorText'],
  base: { root: { minWidth: '0' }, legend: { ...label, marginBottom: '1.5' }, errorText },
});

/** The box of Chakra's checkboxes. The native checkboxes of long lists look the same (`cells/cells.module.css`). */
const box = {
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  flexShrink: '0',
  width: '18px',
  height: '18px',
  borderWidth: '1px',
  borderColor: 'border.input',
  bg: 'bg.panel',
  color: 'brand.contrast',
  _checked: { borderColor: 'brand.solid', bg: 'brand.solid' },
  _focusVisible: FOCUS_RING,
} as const;

export const checkbox = defineSlotRecipe({
  className: 'ui-checkbox',
  slots: ['root', 'control', 'label'],
  base: {
    root: {
      display: 'flex',
      position: 'relative',
      alignItems: 'center',
      gap: '2.5',
      width: 'fit-content',
      maxWidth: '100%',
      minHeight: '32px',
      cursor: 'pointer',
      _disabled: { color: 'fg.muted', cursor: 'not-allowed' },
    },
    control: { ...box, borderRadius: 'xs', padding: '0.5', _disabled: { opacity: '0.5' } },
    label: { minWidth: '0' },
  },
});

/** Three choices share one line. On a phone they have equal widths and no circles. Forced colours need the circles. */
const THREE_ON_A_PHONE = '@media (max-width: 479px) and (forced-colors: none)';

export const radioGroup = defineSlotRecipe({
  className: 'ui-radio-group',
  slots: ['root', 'label', 'item', 'itemControl', 'itemText'],
  base: {
    root: {
      '& > [data-count]': { display: 'flex', flexWrap: 'wrap', gap: '2' },
      '& > [data-count="3"]': {
        flexWrap: { sm: 'nowrap' },
        [THREE_ON_A_PHONE]: { display: 'grid', gridAutoColumns: 'minmax(0, 1fr)', gridAutoFlow: 'column', gap: '1' },
      },
    },
    label: { ...label, display: 'block', marginBottom: '1.5' },
    item: {
      display: 'flex',
      position: 'relative',
      alignItems: 'center',
      gap: '2.5',
      minHeight: '44px',
      py: '1',
      ps: '3',
      pe: '3.5',
      borderWidth: '1px',
      borderColor: 'border.input',
      borderRadius: 'sm',
      bg: 'bg.panel',
      cursor: 'pointer',
      transition: 'border-color 0.12s, background-color 0.12s',
      _hover: { borderColor: 'fg.muted' },
      _checked: { borderColor: 'brand.solid', bg: 'brand.subtle' },
      '&:has(:focus-visible)': FOCUS_RING,
      [THREE_ON_A_PHONE]: {
        '[data-count="3"] > &': {
          justifyContent: 'center',
          padding: '1',
          fontSize: '13px',
          lineHeight: '17px',
          textAlign: 'center',
          _checked: { boxShadow: 'inset 0 0 0 1px {colors.brand.solid}', fontWeight: 'semibold' },
        },
      },
    },
    itemControl: {
      ...box,
      borderRadius: 'full',
      _focusVisible: {},
      '& .dot': { width: '8px', height: '8px', borderRadius: 'full', bg: 'currentColor', scale: '0' },
      '&[data-state=checked] .dot': { scale: '1' },
      [THREE_ON_A_PHONE]: { '[data-count="3"] &': { display: 'none' } },
    },
  },
});
