import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { SubmitButton } from '../form/Form';
import { listMessages } from './list.messages';

interface ListFooterProps {
  /** Text that says how many rows are shown. */
  children?: ReactNode;
  /** Absent if every row is loaded. */
  onMore?: () => void;
  isPending?: boolean;
}

/** The number of shown rows below a list, and the button that loads more rows. */
export const ListFooter = ({ children, onMore, isPending }: ListFooterProps) => (
  <Flex align="center" justify="space-between" gap="4" minH="36px" mt="3" textStyle="xs" color="fg.muted">
    {children}
    {onMore && (
      <SubmitButton variant="outline" size="sm" isPending={isPending} onClick={onMore}>
        {listMessages.loadMore}
      </SubmitButton>
    )}
  </Flex>
);
