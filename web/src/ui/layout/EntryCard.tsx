import type { HTMLAttributes } from 'react';
import styles from './EntryCard.module.css';
import { SevenTicks } from './SevenTicks';

interface EntryCardProps extends HTMLAttributes<HTMLDivElement> {
  title: string;
}

/** The page of somebody who is not logged in yet: the studio's mark, a heading and a form. */
export function EntryCard({ title, children, ...rest }: EntryCardProps) {
  return (
    <div {...rest} className={styles.card}>
      <SevenTicks className={styles.ticks} />
      <h1>{title}</h1>
      {children}
    </div>
  );
}
