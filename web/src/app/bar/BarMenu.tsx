import { type ReactNode, useEffect, useRef } from 'react';
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
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute('open');
  const { pathname, search } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run when the URL changes
  useEffect(close, [pathname, search]);
  return (
    <details
      ref={menu}
      className={`${styles.menu} ${className}`}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        menu.current?.querySelector('summary')?.focus();
      }}
    >
      <summary className={styles.icon} aria-label={label} title={label}>
        {icon}
      </summary>
      <div className={styles.panel}>{children}</div>
    </details>
  );
}
