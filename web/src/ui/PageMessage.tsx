import type { ReactNode } from 'react';
import styles from './PageMessage.module.css';
import { SevenTicks } from './SevenTicks';

/** A whole page that says one thing and offers one way on (`children`: a link or a button). */
export function PageMessage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <SevenTicks first={5} last={4} className={styles.ticks} />
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </div>
  );
}
