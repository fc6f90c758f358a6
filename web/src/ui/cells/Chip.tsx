import type { ReactNode } from 'react';
import styles from './cells.module.css';

export type ChipColor = 'green' | 'blue' | 'orange' | 'red' | 'purple' | 'neutral';

const createChipStyle = (color: ChipColor) =>
  color === 'neutral'
    ? undefined
    : { background: `var(--ui-colors-${color}-subtle)`, color: `var(--ui-colors-${color}-fg)` };

/** A label whose colour has a meaning. It is a native element (docs/decisions/134). */
export const Chip = ({ color = 'neutral', children }: { color?: ChipColor; children: ReactNode }) => (
  <span className={styles.chip} style={createChipStyle(color)}>
    {children}
  </span>
);
