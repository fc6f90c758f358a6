/**
 * Style of the native input in Chakra's checkboxes and radios. The invisible input covers the whole control. Chakra's
 * own style makes the input a box of 1 × 1 px. Screen readers with touch and the clicks of a test would miss that box.
 */
export const OVERLAID_INPUT = {
  position: 'absolute',
  inset: 0,
  width: '100%',
  height: '100%',
  margin: 0,
  opacity: 0,
  clip: 'auto',
  cursor: 'inherit',
} as const;
