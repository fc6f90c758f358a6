import * as m from 'framer-motion/m';
import { type AriaAttributes, type ReactNode, type Ref, useState } from 'react';
import { isArrival } from './arrivals';
import styles from './List.module.css';
import { Motion } from './Motion';

interface ListRowProps extends AriaAttributes {
  as: 'tr' | 'li';
  /** What `announceArrival` is told. */
  id: string;
  ref?: Ref<HTMLElement>;
  'data-index': number;
  children: ReactNode;
}

const ENTER = {
  initial: { y: -12 },
  animate: { y: 0 },
  transition: { duration: 0.18, ease: [0.2, 0.8, 0.2, 1] },
} as const;

/** A row of a list. The one that was just created slides in and stays marked for a moment; nothing else ever moves. */
export function ListRow({ as, id, ref, ...rest }: ListRowProps) {
  // Decided once: another element in its place would lose the focus within.
  const [arrived] = useState(() => isArrival(id));
  if (!arrived)
    return as === 'tr' ? (
      <tr ref={ref as Ref<HTMLTableRowElement>} {...rest} />
    ) : (
      <li ref={ref as Ref<HTMLLIElement>} {...rest} />
    );
  const Moving = as === 'tr' ? m.tr : m.li;
  return (
    <Motion>
      <Moving ref={ref as never} className={styles.arrived} {...ENTER} {...rest} />
    </Motion>
  );
}
