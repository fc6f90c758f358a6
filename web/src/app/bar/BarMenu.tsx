import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import styles from './TopBar.module.css';

interface BarMenuProps {
  label: string;
  icon: ReactNode;
  className: string | undefined;
  children: ReactNode;
}

/** A menu of the top bar: a `<details>` that closes on navigation, on Escape and when the focus leaves it. */
export function BarMenu({ label, icon, className = '', children }: BarMenuProps) {
  const { pathname, search } = useLocation();
  return (
    <details
      // The key changes with the URL, so that a navigation mounts a closed menu.
      key={pathname + search}
      className={`${styles.menu} ${className}`}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary className={styles.icon} aria-label={label} title={label}>
        {icon}
      </summary>
      <div className={styles.panel}>{children}</div>
    </details>
  );
}
