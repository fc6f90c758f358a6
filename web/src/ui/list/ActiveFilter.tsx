import { Button, Flex } from '@chakra-ui/react';

/** A note above a filtered list, with a button that shows all rows. */
export const ActiveFilter = ({ text, clear, onClear }: { text: string; clear: string; onClear: () => void }) => (
  <Flex
    as="p"
    wrap="wrap"
    align="center"
    justify="space-between"
    gap="8px 16px"
    mb="2"
    p="8px 8px 8px 16px"
    borderRadius="sm"
    bg="brand.subtle"
    overflowWrap="anywhere"
  >
    {text}
    <Button variant="outline" size="sm" onClick={onClear}>
      {clear}
    </Button>
  </Flex>
);
