import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton';
import styles from './cells.module.css';

interface CopyableTextProps {
  text: string;
  /** Label of the action: "Copiar host". */
  label: string;
  /** Shown instead of `text`, for example if `text` is too long for the cell. */
  children?: ReactNode;
}

/** A text in a cell, with the button that copies it. */
export const CopyableText = ({ text, label, children = text }: CopyableTextProps) => (
  <span className={styles.copyable}>
    <span className={styles.copyableText}>{children}</span>
    <CopyButton text={text} label={label} />
  </span>
);
