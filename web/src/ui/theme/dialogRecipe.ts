import { defineSlotRecipe } from '@chakra-ui/react';

const SLOTS = [
  'backdrop',
  'positioner',
  'content',
  'header',
  'title',
  'description',
  'body',
  'footer',
  'closeTrigger',
] as const;

/** A phone in landscape. Header and footer are less high there, so that the fields have more room. */
const LOW_WINDOW = '@media (max-height: 479px)';
/** A phone whose height allows a margin above a dialog, with room for a notification. */
const HIGH_PHONE = '@media (max-width: 767px) and (min-height: 480px)';
/** The actions of a long dialog stay visible, unless the window is as low as at 400 % zoom. */
const WITH_ROOM = '@media (min-height: 320px)';

const sharedParts = {
  backdrop: {
    position: 'fixed',
    inset: '0',
    bg: '#0D121480',
    zIndex: 'calc({zIndex.popover} + var(--layer-index, 0) - 1)',
    _open: { animation: 'fade-in 0.18s' },
  },
  header: { ps: { base: '4', md: '6' }, pt: '5', pb: '3', pe: '14', [LOW_WINDOW]: { py: '2' } },
  title: { textStyle: 'lg', fontWeight: 'semibold', [LOW_WINDOW]: { textStyle: 'md' } },
  body: { px: { base: '4', md: '6' }, pb: '5' },
  closeTrigger: { position: 'absolute', top: '14px', insetEnd: '14px', px: '0', [LOW_WINDOW]: { top: '0.5' } },
} as const;

const positioner = {
  position: 'fixed',
  inset: '0',
  display: 'flex',
  zIndex: 'calc({zIndex.popover} + var(--layer-index, 0))',
} as const;
const content = {
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  width: '100%',
  borderColor: 'border',
  bg: 'bg.panel',
  boxShadow: 'lg',
  outline: '0',
  _open: { animation: 'dialog-in 0.18s cubic-bezier(.2,.8,.2,1)' },
} as const;

/** A dialog at the right edge, as high as the window. */
export const drawer = defineSlotRecipe({
  className: 'ui-drawer',
  slots: SLOTS,
  base: {
    ...sharedParts,
    positioner: { ...positioner, justifyContent: 'flex-end', overflow: 'hidden' },
    content: { ...content, height: '100dvh', borderInlineStartWidth: '1px' },
    body: { ...sharedParts.body, flex: '1', overflowY: 'auto', overscrollBehaviorY: 'contain' },
  },
});

export const dialog = defineSlotRecipe({
  className: 'ui-dialog',
  slots: SLOTS,
  base: {
    ...sharedParts,
    positioner: {
      ...positioner,
      justifyContent: 'center',
      overflow: 'auto',
      overscrollBehaviorY: 'none',
      // Keeps a focused field above the footer.
      scrollPaddingBottom: '96px',
      // Keeps a focused field below a notification.
      scrollPaddingTop: '88px',
      p: '4',
    },
    content: {
      ...content,
      height: 'fit-content',
      marginBlock: { base: '0', md: '8vh' },
      [HIGH_PHONE]: { marginTop: '60px' },
      [LOW_WINDOW]: { marginBlock: '0' },
      borderRadius: 'lg',
      borderWidth: '1px',
    },
    description: { color: 'fg.muted', '& + [role=alert]': { marginTop: '3' } },
    footer: {
      display: 'flex',
      flexWrap: 'wrap',
      justifyContent: 'flex-end',
      gap: '2',
      px: { base: '4', md: '6' },
      py: '4',
      borderTopWidth: '1px',
      borderColor: 'border',
      borderBottomRadius: 'lg',
      bg: 'bg.panel',
      [LOW_WINDOW]: { py: '2' },
      '& > div': { flex: '1 1 240px', alignSelf: 'center', minWidth: '0', overflowWrap: 'anywhere' },
      // An empty note takes no line of its own.
      '& > div:has(> :empty)': { flexBasis: '0' },
      // -16px covers the positioner's padding, so that the footer ends at the edge of the window.
      [WITH_ROOM]: { position: 'sticky', bottom: '-16px' },
    },
  },
  variants: {
    size: {
      md: {},
      full: {
        positioner: { p: '0' },
        content: {
          minHeight: '100dvh',
          marginBlock: '0',
          [HIGH_PHONE]: { marginTop: '0' },
          borderRadius: '0',
          borderWidth: '0',
        },
        body: { flex: '1' },
        footer: { borderBottomRadius: '0', [WITH_ROOM]: { bottom: '0' } },
      },
    },
  },
  defaultVariants: { size: 'md' },
});
