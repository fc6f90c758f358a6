import { defineLayerStyles } from '@chakra-ui/react';

const panel = { borderWidth: '1px', borderColor: 'border', borderRadius: 'md', bg: 'bg.panel' };
const notice = { paddingBlock: '2', paddingInline: '3', borderRadius: 'sm', fontSize: '13px', lineHeight: '20px' };

export const layerStyles = defineLayerStyles({
  panel: { value: panel },
  /** A panel with a line between its rows. */
  rows: { value: { ...panel, '& > * + *': { borderTopWidth: '1px', borderColor: 'border' } } },
  info: { value: { ...notice, bg: 'brand.subtle' } },
  warning: { value: { ...notice, bg: 'orange.subtle', color: 'orange.fg' } },
});
