import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Alert.module.css';

/** An error in its place, announced at once. `note` stands beside it, `action` offers the way out, such as a retry. */
export function Alert({ children, note, action }: { children: ReactNode; note?: string; action?: ReactNode }) {
  return (
    <div className={styles.alert} role="alert">
      <CircleAlert aria-hidden size={20} />
      <div>
        <p>{children}</p>
        {note && <small>{note}</small>}
      </div>
      {action}
    </div>
  );
}
