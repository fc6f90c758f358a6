import { Button, Flex } from '@chakra-ui/react';

/** Says above a list that only a part of it is shown, and offers the whole. */
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
