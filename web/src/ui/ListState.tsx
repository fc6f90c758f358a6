import { Button } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Alert } from './Alert';
import styles from './ListState.module.css';
import { uiMessages } from './ui.messages';
import { useDelayed } from './useDelayed';

/** The button of a failed load. */
export const Retry = ({ onRetry }: { onRetry: () => void }) => (
  <Button variant="outline" size="sm" onClick={onRetry}>
    {uiMessages.retry}
  </Button>
);

/** Rows of a list that are on their way. */
export function ListSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={uiMessages.loading}>
      {Array.from({ length: rows }, (_, index) => index).map((row) => (
        <div key={row}>
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

interface ListStateProps {
  /** Whether there is something to show; a refetch never takes it away. */
  ready: boolean;
  loading: boolean;
  /** The sentence of a failed load, or null. */
  failure: string | null;
  onRetry: () => void;
  children: ReactNode;
}

/** Around what a query brings: skeleton, the error with a retry, then the content (kept, with the error above, when a refetch fails). */
export function ListState({ ready, loading, failure, onRetry, children }: ListStateProps) {
  const skeleton = useDelayed(loading && !ready);
  return (
    <div aria-busy={loading || undefined}>
      {failure && !loading && (
        <div className={styles.failure}>
          <Alert action={<Retry onRetry={onRetry} />}>{failure}</Alert>
        </div>
      )}
      {skeleton ? <ListSkeleton /> : ready && children}
    </div>
  );
}
