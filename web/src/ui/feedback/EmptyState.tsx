import type { ReactNode } from 'react';
import { Button } from '../form/Button';
import { SevenTicks } from '../layout/SevenTicks';
import { uiMessages } from '../ui.messages';
import styles from './EmptyState.module.css';

/** A list without anything in it yet, and the way to begin. */
export function EmptyState({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <SevenTicks first={2} last={1} className={styles.ticks} />
      <p>{text}</p>
      {action}
    </div>
  );
}

/** A search, or a filter without a search, that found nothing. */
export function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <EmptyState
      text={search === '' ? uiMessages.noneLeft : uiMessages.noMatch(search)}
      action={
        <Button variant="outline" size="sm" onClick={onClear}>
          {search === '' ? uiMessages.clearFilter : uiMessages.clearSearch}
        </Button>
      }
    />
  );
}
