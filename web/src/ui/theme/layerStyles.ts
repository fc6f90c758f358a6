import { defineLayerStyles } from '@chakra-ui/react';

const panel = { borderWidth: '1px', borderColor: 'border', borderRadius: 'md', bg: 'bg.panel' };
const notice = { paddingBlock: '2', paddingInline: '3', borderRadius: 'sm', fontSize: '13px', lineHeight: '20px' };

export const layerStyles = defineLayerStyles({
  panel: { value: panel },
  /** A panel with a line between its rows. */
  rows: { value: { ...panel, '& > * + *': { borderTopWidth: '1px', borderColor: 'border' } } },
  /** A frame that scrolls, with a shadow at top and bottom. A shadow is hidden where no content lies beyond it. */
  scroller: {
    value: {
      background: `linear-gradient({colors.bg.panel} 30%, transparent) top / 100% 36px local no-repeat,
        linear-gradient(transparent, {colors.bg.panel} 70%) bottom / 100% 36px local no-repeat,
        linear-gradient({colors.border}, transparent) top / 100% 12px no-repeat,
        linear-gradient(transparent, {colors.border}) bottom / 100% 12px no-repeat`,
    },
  },
  /** Gives a small button the height of a touch target on a phone. */
  touchTarget: { value: { minHeight: { base: '44px', md: '9' } } },
  info: { value: { ...notice, bg: 'brand.subtle' } },
  warning: { value: { ...notice, bg: 'orange.subtle', color: 'orange.fg' } },
});
