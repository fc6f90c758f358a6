import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Alert.module.css';

/** An error in its place, announced at once. `action` offers the way out, such as a retry. */
export function Alert({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.alert} role="alert">
      <CircleAlert aria-hidden size={20} />
      <p>{children}</p>
      {action}
    </div>
  );
}
