import { Grid } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { Fold } from '../layout/Fold';
import { uiMessages } from '../ui.messages';

interface MoreOptionsProps {
  /** Unfolded from the start, because an option differs from its default. */
  isUsed: boolean;
  /** Unfolds the options, so that a refused field among them can take the focus. */
  isInvalid: boolean;
  /** Fields, stacked. */
  children: ReactNode;
}

/** Folds the fields that few people need. */
export function MoreOptions({ isUsed, isInvalid, children }: MoreOptionsProps) {
  const [open, setOpen] = useState(isUsed);
  return (
    <Fold
      label={uiMessages.moreOptions}
      open={open || isInvalid}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <Grid gap="4" pt="2">
        {children}
      </Grid>
    </Fold>
  );
}
