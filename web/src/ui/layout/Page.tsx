import type { ReactNode } from 'react';
import styles from './Page.module.css';

/** A screen: its one h1 and its main act, above what it holds. */
export function Page({
  title,
  subtitle,
  action,
  children,
}: {
  title: string;
  subtitle?: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <header className={styles.header}>
        <div>
          <h1>{title}</h1>
          {subtitle && <p>{subtitle}</p>}
        </div>
        {action}
      </header>
      {children}
    </>
  );
}

/** A part of a screen on a panel of its own. */
export function Panel({ title, text, children }: { title?: ReactNode; text?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.panel}>
      {title && <h2>{title}</h2>}
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </section>
  );
}

/** The h2 of a part of a screen that is no panel, and the main act of that part. */
export function SectionHeading({ title, action }: { title: string; action?: ReactNode }) {
  return (
    <div className={styles.heading}>
      <h2>{title}</h2>
      {action}
    </div>
  );
}
