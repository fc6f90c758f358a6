import { type ReactNode, useState } from 'react';
import { uiMessages } from '../ui.messages';
import styles from './Field.module.css';

interface MoreOptionsProps {
  label?: string;
  /** Unfolded from the start, since something in it is not as it would be by itself. */
  isUsed: boolean;
  /** A field in it was refused: it unfolds, so that the focus can go there. */
  isInvalid: boolean;
  /** Fields, stacked. */
  children: ReactNode;
}

/** The fields that few need, folded. */
export function MoreOptions({ label = uiMessages.moreOptions, isUsed, isInvalid, children }: MoreOptionsProps) {
  const [open, setOpen] = useState(isUsed);
  return (
    <details
      className={styles.more}
      open={open || isInvalid}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{label}</summary>
      <div>{children}</div>
    </details>
  );
}
