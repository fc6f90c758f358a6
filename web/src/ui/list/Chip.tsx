import type { ReactNode } from 'react';
import styles from './Chip.module.css';

export type ChipColor = 'green' | 'blue' | 'orange' | 'red' | 'purple' | 'neutral';

/** A word with a colour that means something. A plain element: a list may hold thousands. */
export const Chip = ({ color = 'neutral', children }: { color?: ChipColor; children: ReactNode }) => (
  <span className={styles.chip} data-color={color}>
    {children}
  </span>
);
