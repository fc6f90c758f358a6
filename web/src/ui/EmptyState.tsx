import { Button } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';
import { SevenTicks } from './SevenTicks';
import { uiMessages } from './ui.messages';

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

/** A search that found nothing. */
export function NoMatch({ query, onClear }: { query: string; onClear: () => void }) {
  return (
    <EmptyState
      text={uiMessages.noMatch(query)}
      action={
        <Button variant="outline" size="sm" onClick={onClear}>
          {uiMessages.clearSearch}
        </Button>
      }
    />
  );
}
