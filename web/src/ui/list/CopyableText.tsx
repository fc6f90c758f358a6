import styles from './CopyableText.module.css';
import { CopyButton } from './CopyButton';

interface CopyableTextProps {
  text: string;
  /** Names the act: "Copiar host". */
  label: string;
}

/** A text in a cell, with the button that copies it. */
export const CopyableText = ({ text, label }: CopyableTextProps) => (
  <span className={styles.copyable}>
    <span className={styles.text}>{text}</span>
    <CopyButton text={text} label={label} />
  </span>
);
