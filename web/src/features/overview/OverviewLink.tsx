import { chakra, defineRecipe } from '@chakra-ui/react';
import { Link } from 'react-router';

/** The look of a link, with the size of a touch target on a phone. */
const overviewLink = defineRecipe({
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: { base: '44px', md: '24px' },
    color: 'brand.fg',
    fontWeight: 'medium',
    overflowWrap: 'anywhere',
    textUnderlineOffset: '3px',
    cursor: 'pointer',
    _hover: { textDecoration: 'underline' },
  },
});

export const OverviewLink = chakra(Link, overviewLink);
export const OverviewButton = chakra('button', overviewLink);
