import { chakra, type HTMLChakraProps } from '@chakra-ui/react';

/** A command whose lines break at spaces, and not after the hyphens of its options. */
export const CommandWords = ({ children }: { children: string }) =>
  children.split(/(\s+)/).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words may repeat
    <chakra.span key={index} display={word.trim() && 'inline-block'} maxW="100%">
      {word}
    </chakra.span>
  ));

/** A command or an example, whose long lines break. */
export const Snippet = ({ children, ...rest }: HTMLChakraProps<'pre'> & { children: string }) => (
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
    <code>
      <CommandWords>{children}</CommandWords>
    </code>
  </chakra.pre>
);
