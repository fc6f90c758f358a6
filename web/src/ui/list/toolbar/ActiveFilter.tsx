import { Button, Flex } from '@chakra-ui/react';

/** A note above a filtered list, with a button that shows all rows. `label` is the text of the button. */
export const ActiveFilter = ({ text, label, onClear }: { text: string; label: string; onClear: () => void }) => (
  <Flex
    as="p"
    wrap="wrap"
    align="center"
    justify="space-between"
    rowGap="2"
    columnGap="4"
    mb="2"
    py="2"
    ps="4"
    pe="2"
    borderRadius="sm"
    bg="brand.subtle"
    overflowWrap="anywhere"
  >
    {text}
    <Button variant="outline" size="sm" onClick={onClear}>
      {label}
    </Button>
  </Flex>
);
