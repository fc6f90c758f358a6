import { chakra, type HTMLChakraProps } from '@chakra-ui/react';

/** Content that a click on its label shows and hides. */
export const Disclosure = ({ label, children, ...rest }: HTMLChakraProps<'details'> & { label: string }) => (
  <chakra.details {...rest}>
    <chakra.summary data-chevron width="fit-content" py="1" color="brand.fg" fontWeight="medium">
      {label}
    </chakra.summary>
    {children}
  </chakra.details>
);
