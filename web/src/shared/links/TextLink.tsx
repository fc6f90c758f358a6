import { Link as ChakraLink, type LinkProps } from '@chakra-ui/react';
import { Link } from 'react-router';

/** A link to a screen of the app, with the look of Chakra's link. */
export const TextLink = ({ to, children, ...rest }: LinkProps & { to: string }) => (
  <ChakraLink asChild {...rest}>
    <Link to={to}>{children}</Link>
  </ChakraLink>
);
