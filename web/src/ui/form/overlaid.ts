/**
 * Style of the native input in Chakra's checkboxes and radios. The invisible input covers the whole control, where Chakra has
 * one pixel beside it. Touch exploration by a screen reader and clicks of a test then hit it.
 */
export const overlaid = {
  position: 'absolute',
  inset: 0,
  width: '100%',
  height: '100%',
  margin: 0,
  opacity: 0,
  clip: 'auto',
  cursor: 'inherit',
} as const;
