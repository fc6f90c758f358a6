import { Button, EmptyState as ChakraEmptyState } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { SevenTicks } from '../layout/SevenTicks';
import { WritersOnly } from '../layout/WritersOnly';
import { uiMessages } from '../ui.messages';

interface EmptyProps {
  text: string;
  action?: ReactNode;
}

function Empty({ text, action }: EmptyProps) {
  return (
    <ChakraEmptyState.Root>
      <ChakraEmptyState.Content>
        <ChakraEmptyState.Indicator>
          <SevenTicks first={2} last={1} />
        </ChakraEmptyState.Indicator>
        <p>{text}</p>
        {action}
      </ChakraEmptyState.Content>
    </ChakraEmptyState.Root>
  );
}

/** Shown in place of an empty list. Viewers do not see `action`, which creates the first row. */
export const EmptyState = ({ text, action }: EmptyProps) => (
  <Empty text={text} action={<WritersOnly>{action}</WritersOnly>} />
);

/** Shown when a search, or a filter without a search, found nothing. */
export function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <Empty
      text={search === '' ? uiMessages.noneLeft : uiMessages.noMatch(search)}
      action={
        <Button variant="outline" size="sm" onClick={onClear}>
          {search === '' ? uiMessages.clearFilter : uiMessages.clearSearch}
        </Button>
      }
    />
  );
}
