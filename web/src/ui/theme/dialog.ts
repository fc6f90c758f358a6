import { defineSlotRecipe } from '@chakra-ui/react';

/** Chakra's dialog in the product's own dress. */
export const dialog = defineSlotRecipe({
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
      // A field that gets the focus stays above the footer.
      scrollPaddingBottom: '96px',
      // And below a notification.
      scrollPaddingTop: '88px',
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
      // On a phone, too, a notification has room above it, unless little else would have.
      '@media (max-width: 767px) and (min-height: 480px)': { marginTop: '60px' },
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
      borderBottomRadius: 'lg',
      bg: 'bg.panel',
      // The acts of a long dialog are in sight all the time, unless little else would be. Down to the window's edge: over
      // the positioner's padding.
      '@media (min-height: 480px)': { position: 'sticky', bottom: '-16px' },
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
        footer: { position: 'sticky', bottom: '0', borderBottomRadius: '0' },
      },
      // At the right edge, as high as the window. The name is one that Chakra's types know.
      cover: {
        positioner: { p: '0', justifyContent: 'flex-end', overflow: 'hidden' },
        content: {
          height: '100dvh',
          marginBlock: '0',
          borderRadius: '0',
          borderWidth: '0',
          borderInlineStartWidth: '1px',
        },
        body: { flex: '1', overflowY: 'auto', overscrollBehaviorY: 'contain' },
      },
    },
  },
  defaultVariants: { size: 'md' },
});
