import { defineSlotRecipe } from '@chakra-ui/react';

/**
 * Only `Table.Root` is a component. Its rows and cells are plain elements, which get their styles by its prop `native`.
 */
export const table = defineSlotRecipe({
  className: 'ui-table',
  slots: ['root', 'columnHeader', 'cell'],
  base: {
    root: {
      width: '100%',
      tableLayout: 'fixed',
      borderCollapse: 'collapse',
      fontSize: '14px',
      lineHeight: '20px',
      '& :is(th, td):first-child': { paddingInlineStart: '4' },
      '& :is(th, td):last-child': { paddingInlineEnd: '4' },
      '& [data-align=end]': { fontVariantNumeric: 'tabular-nums', textAlign: 'end' },
      '& tbody tr + tr > td': { borderTop: '1px solid {colors.border}' },
      '& tbody tr:hover > td': { bg: 'color-mix(in srgb, {colors.bg.subtle} 50%, transparent)' },
      '& tr[aria-hidden] > td': { padding: '0', border: '0' },
    },
    columnHeader: {
      position: 'sticky',
      top: '56px',
      zIndex: '1',
      height: '40px',
      px: '2',
      // A collapsed border would stay behind when the header sticks below the bar.
      boxShadow: 'inset 0 -1px {colors.border}',
      bg: 'bg.panel',
      color: 'fg.muted',
      fontSize: '13px',
      fontWeight: 'medium',
      textAlign: 'start',
      '& > button': {
        display: 'inline-flex',
        alignItems: 'center',
        gap: '1',
        height: '40px',
        maxWidth: 'calc(100% + 12px)',
        marginInline: '-1.5',
        paddingInline: '1.5',
        borderRadius: 'xs',
        fontWeight: 'medium',
        lineHeight: '16px',
        textAlign: 'start',
        cursor: 'button',
        _focusVisible: { outlineOffset: '-3px' },
        '--icon': '14px',
        // The icon follows the text.
        _before: { order: '1', opacity: '0.5' },
      },
      // Aligns the header with the numbers below it.
      '&[data-align=end] > button': { flexDirection: 'row-reverse', textAlign: 'end' },
      '& > button:hover, &[aria-sort] > button': { color: 'fg', _before: { opacity: '1' } },
    },
    cell: {
      height: '52px',
      paddingBlock: '1.5',
      paddingInline: '2',
      overflow: 'hidden',
      overflowWrap: 'anywhere',
      textOverflow: 'ellipsis',
    },
  },
});
