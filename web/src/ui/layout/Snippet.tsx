import { chakra, type HTMLChakraProps } from '@chakra-ui/react';

/** A command or an example, whose long lines break. */
export const Snippet = ({ children, ...rest }: HTMLChakraProps<'pre'>) => (
  <chakra.pre
    my="3"
    p="3"
    borderRadius="sm"
    bg="bg.subtle"
    fontFamily="mono"
    fontSize="13px"
    lineHeight="20px"
    whiteSpace="pre-wrap"
    overflowWrap="anywhere"
    {...rest}
  >
    <code>{children}</code>
  </chakra.pre>
);
