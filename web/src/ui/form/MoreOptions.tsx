import { type ReactNode, useState } from 'react';
import { uiMessages } from '../ui.messages';
import styles from './form.module.css';

interface MoreOptionsProps {
  label?: string;
  /** Unfolded from the start, because an option differs from its default. */
  isUsed: boolean;
  /** Unfolds the options, so that a refused field among them can take the focus. */
  isInvalid: boolean;
  /** Fields, stacked. */
  children: ReactNode;
}

/** Folds the fields that few people need. */
export function MoreOptions({ label = uiMessages.moreOptions, isUsed, isInvalid, children }: MoreOptionsProps) {
  const [open, setOpen] = useState(isUsed);
  return (
    <details
      className={styles.more}
      open={open || isInvalid}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary data-chevron>{label}</summary>
      <div>{children}</div>
    </details>
  );
}
