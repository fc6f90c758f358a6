import { Grid } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { Disclosure } from '../layout/Disclosure';
import { uiMessages } from '../ui.messages';

interface MoreOptionsProps {
  /** Whether an option differs from its default. The options are then expanded from the start. */
  isUsed: boolean;
  /** Whether one of the fields is invalid. The options are then expanded, so that the field can take the focus. */
  isInvalid: boolean;
  children: ReactNode;
}

/** A disclosure of fields that few users need. */
export function MoreOptions({ isUsed, isInvalid, children }: MoreOptionsProps) {
  const [open, setOpen] = useState(isUsed);
  return (
    <Disclosure
      label={uiMessages.moreOptions}
      open={open || isInvalid}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <Grid gap="4" pt="2">
        {children}
      </Grid>
    </Disclosure>
  );
}
