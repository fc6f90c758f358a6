import { defineSlotRecipe } from '@chakra-ui/react';

export const card = defineSlotRecipe({
  className: 'ui-card',
  slots: ['root', 'title', 'description'],
  base: {
    root: {
      padding: { base: '16px', md: '20px 24px 24px' },
      borderWidth: '1px',
      borderColor: 'border',
      borderRadius: 'md',
      bg: 'bg.panel',
      '& + &': { marginTop: '4' },
      '& h2': { fontSize: '20px', lineHeight: '28px' },
    },
    description: { maxWidth: '62ch', marginTop: '1', color: 'fg.muted' },
  },
  variants: {
    /** The size `sm` is for one line of controls. */
    size: {
      sm: {
        root: { padding: { base: '12px 16px', md: '12px 16px' }, '& h2': { fontSize: '16px', lineHeight: '24px' } },
      },
    },
  },
});

export const alert = defineSlotRecipe({
  className: 'ui-alert',
  slots: ['root', 'indicator', 'content', 'title', 'description'],
  base: {
    root: { display: 'flex', alignItems: 'center', fontSize: '14px', lineHeight: '20px' },
    indicator: { display: 'flex', flex: 'none', _icon: { width: '20px', height: '20px' } },
    content: { minWidth: '0', overflowWrap: 'anywhere' },
    description: { fontSize: '13px' },
  },
  variants: {
    variant: {
      /** A surface in the flow of the page. */
      subtle: {
        root: {
          flexWrap: 'wrap',
          rowGap: '2',
          columnGap: '3',
          paddingBlock: '2.5',
          paddingInline: '3.5',
          borderRadius: 'sm',
          bg: 'red.subtle',
          color: 'red.fg',
        },
        content: { flex: '1 1 200px' },
      },
      /** The notification, which floats over the page. On a wide screen its two sentences share a line if they fit. */
      surface: {
        root: {
          '--accent': 'colors.danger.fg',
          '&[data-color=success]': { '--accent': 'colors.green.fg' },
          '&[data-color=neutral]': { '--accent': 'colors.fg.muted' },
          // On a phone two buttons are below the text, because beside it they would take its width.
          mdDown: {
            '&:has(> button ~ button)': { flexWrap: 'wrap' },
            '&:has(> button ~ button) > :nth-child(2)': { flexBasis: 'calc(100% - 40px)' },
          },
          justifyContent: 'flex-end',
          gap: '2.5',
          marginInlineStart: 'auto',
          width: 'fit-content',
          maxWidth: { base: 'min(440px, 100%)', md: 'min(960px, 100%)' },
          padding: { base: '8px 4px 8px 12px', md: '2px 6px 2px 16px' },
          borderWidth: '1px',
          borderColor: 'border',
          borderInlineStart: '4px solid var(--accent)',
          borderRadius: 'md',
          bg: 'bg.panel',
          boxShadow: 'lg',
          pointerEvents: 'auto',
        },
        indicator: { color: 'var(--accent)' },
        content: {
          flex: '1 1 auto',
          display: { md: 'flex' },
          flexWrap: 'wrap',
          rowGap: '0',
          columnGap: '2',
        },
        description: { color: 'fg.muted', lineHeight: '20px' },
      },
    },
  },
  defaultVariants: { variant: 'subtle' },
});

export const emptyState = defineSlotRecipe({
  className: 'ui-empty-state',
  slots: ['root', 'content', 'indicator'],
  base: {
    root: {
      paddingBlock: '12',
      paddingInline: '6',
      borderWidth: '1px',
      borderStyle: 'dashed',
      borderColor: 'border',
      borderRadius: 'md',
      bg: 'bg.panel',
      color: 'fg.muted',
    },
    content: { display: 'grid', justifyItems: 'center', gap: '4', textAlign: 'center' },
    indicator: {
      color: 'brand.solid',
      _icon: { width: '66px' },
      '& [data-tick=next]': { opacity: '0.25' },
    },
  },
});

/** Fades each end towards which the row of tabs can scroll. A browser without scroll timelines cuts the tabs off. */
const fadingEnds = {
  maskImage: 'linear-gradient(to right, #0000, #000 var(--fade-start), #000 calc(100% - var(--fade-end)), #0000)',
  '@supports (animation-timeline: scroll())': {
    animation: 'fade-ends linear',
    animationTimeline: 'scroll(self inline)',
    // The range exceeds 100 %, so that the animation never finishes. A finished animation would keep its last state
    // when a wider window shows all tabs.
    animationRange: '0% 101%',
  },
} as const;

export const tabs = defineSlotRecipe({
  className: 'ui-tabs',
  slots: ['root', 'list', 'trigger', 'content'],
  base: {
    list: {
      display: 'flex',
      gap: { base: '16px', md: '24px' },
      marginBottom: '6',
      // The padding leaves room for the focus ring around the first and the last tab.
      marginInline: { base: 'calc(-1 * var(--gutter))', md: '-2' },
      paddingInline: { base: 'var(--gutter)', md: '2' },
      overflowX: 'auto',
      background: 'linear-gradient({colors.border}, {colors.border}) bottom no-repeat',
      backgroundSize: { base: '100% 1px', md: 'calc(100% - 16px) 1px' },
      scrollbarWidth: 'none',
      ...fadingEnds,
    },
    trigger: {
      flex: 'none',
      position: 'relative',
      minHeight: '44px',
      mx: '-2',
      px: '2',
      color: 'fg.muted',
      fontWeight: 'medium',
      cursor: 'button',
      outlineOffset: '-4px',
      _selected: {
        color: 'fg',
        _after: {
          position: 'absolute',
          insetInline: '2',
          bottom: '0',
          borderBottom: '2px solid {colors.brand.solid}',
          content: '""',
        },
      },
    },
    content: { outline: '0' },
  },
});
