/** A link or a button of the overview, with the size of a touch target on a phone. */
export const linkCss = {
  display: 'inline-flex',
  alignItems: 'center',
  minHeight: { base: '44px', md: '24px' },
  color: 'brand.fg',
  fontWeight: 'medium',
  textUnderlineOffset: '3px',
  cursor: 'pointer',
  _hover: { textDecoration: 'underline' },
};
