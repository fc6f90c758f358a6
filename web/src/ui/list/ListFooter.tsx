import type { ReactNode } from 'react';
import styles from './List.module.css';

/** Below a list that is loaded in pages: how much of it is shown, and the button that loads more. */
export const ListFooter = ({ children }: { children: ReactNode }) => <div className={styles.footer}>{children}</div>;
