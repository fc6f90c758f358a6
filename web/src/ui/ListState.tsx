import { Button } from '@chakra-ui/react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Alert } from './Alert';
import styles from './ListState.module.css';
import { uiMessages } from './ui.messages';
import { useDelayed } from './useDelayed';

/** The button of a failed load. */
const Retry = ({ onRetry }: { onRetry: () => void }) => (
  <Button variant="outline" size="sm" onClick={onRetry}>
    {uiMessages.retry}
  </Button>
);

/** Rows of a list that are on their way. */
function ListSkeleton({ rows = 6 }: { rows?: number }) {
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

const RETRY_EVERY = 5000;

/** Tries again by itself while a load has failed and the page is seen, so that the screen recovers with the server. */
function useRecovery(failed: boolean, retry: () => void): void {
  const again = useEffectEvent(() => {
    if (document.visibilityState === 'visible') retry();
  });
  useEffect(() => {
    if (!failed) return;
    const timer = setInterval(again, RETRY_EVERY);
    return () => clearInterval(timer);
  }, [failed]);
}

/** The last failure stays in sight while it is tried again: an alert that comes and goes would be read out each time. */
function useStanding(failure: string | null, loading: boolean): string | null {
  const last = useRef<string | null>(null);
  if (!loading || failure) last.current = failure;
  return last.current;
}

/** Around what a query brings: skeleton, the error with a retry, then the content (kept, with the error above, when a refetch fails). */
export function ListState({ ready, loading, failure, onRetry, children }: ListStateProps) {
  const standing = useStanding(failure, loading);
  const skeleton = useDelayed(loading && !ready && !standing);
  useRecovery(standing !== null, onRetry);
  return (
    <div aria-busy={loading || undefined}>
      {standing && (
        <div className={styles.failure}>
          <Alert action={<Retry onRetry={onRetry} />}>{standing}</Alert>
        </div>
      )}
      {skeleton ? <ListSkeleton /> : ready && children}
    </div>
  );
}
