import type { ReactNode } from 'react';
import styles from './CopyableText.module.css';
import { CopyButton } from './CopyButton';

interface CopyableTextProps {
  text: string;
  /** Names the act: "Copiar host". */
  label: string;
  /** What is seen, where the text itself would take too much room. */
  children?: ReactNode;
}

/** A text in a cell, with the button that copies it. */
export const CopyableText = ({ text, label, children = text }: CopyableTextProps) => (
  <span className={styles.copyable}>
    <span className={styles.text}>{children}</span>
    <CopyButton text={text} label={label} />
  </span>
);
