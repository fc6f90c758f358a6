import { Card, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useAccess } from '../../lib/session/access';
import { Chip } from '../row/Chip';
import { uiMessages } from '../ui.messages';
import styles from './Page.module.css';

/**
 * A screen: its one h1 and its main action, above the content. Viewers see no action. A mark tells them that they can
 * only read, unless the screen is
 * `forEveryone`.
 */
export function Page({
  title,
  subtitle,
  back,
  action,
  forEveryone,
  children,
}: {
  title: string;
  subtitle?: string;
  /** A link to the list that the screen belongs to. */
  back?: ReactNode;
  action?: ReactNode;
  forEveryone?: boolean;
  children: ReactNode;
}) {
  const { canWrite } = useAccess();
  return (
    <>
      <header className={styles.header}>
        <div>
          {back && <nav className={styles.back}>{back}</nav>}
          <h1>{title}</h1>
          {!canWrite && !forEveryone && <Chip>{uiMessages.readOnly}</Chip>}
          {subtitle && <p>{subtitle}</p>}
        </div>
        {canWrite && action && <div className={styles.actions}>{action}</div>}
      </header>
      {children}
    </>
  );
}

interface PanelProps {
  title?: ReactNode;
  text?: ReactNode;
  /** Whether padding and heading are smaller, for one line of controls. */
  isCompact?: boolean;
  children: ReactNode;
}

/** A part of a screen on a card. */
export function Panel({ title, text, isCompact, children }: PanelProps) {
  return (
    <Card.Root asChild size={isCompact ? 'sm' : undefined}>
      <section>
        {title && <Card.Title as="h2">{title}</Card.Title>}
        {text && <Card.Description as="p">{text}</Card.Description>}
        {children}
      </section>
    </Card.Root>
  );
}

/**
 * A grid of panels. On a wide screen the first panel takes two thirds of the width, and the others form a column beside
 * it.
 */
export const PanelGrid = ({ children }: { children: ReactNode }) => <div className={styles.panels}>{children}</div>;

/** The h2 of a part of a screen without a card, the main action of that part, and a sentence about it. */
export function SectionHeading({ title, action, text }: { title: string; action?: ReactNode; text?: string }) {
  return (
    <>
      <div className={styles.heading}>
        <h2>{title}</h2>
        {action}
      </div>
      {text && (
        <chakra.p mb="4" color="fg.muted">
          {text}
        </chakra.p>
      )}
    </>
  );
}
