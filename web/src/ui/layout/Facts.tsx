import type { ReactNode } from 'react';
import styles from './Facts.module.css';

/** A list of facts, each a term with its value. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>;

interface FactProps {
  label: string;
  /** A sentence about the value. */
  note?: string;
  children: ReactNode;
}

export const Fact = ({ label, note, children }: FactProps) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
    {note && <dd className={styles.note}>{note}</dd>}
  </div>
);
