import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import type { Failure } from '../../lib/failure';
import { Button } from '../form/Button';
import { uiMessages } from '../ui.messages';
import { Alert } from './Alert';
import styles from './QueryState.module.css';
import { useDelayed } from './useDelayed';

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];

/** In place of what is on its way. */
function Skeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label={uiMessages.loading}>
      {SKELETON_ROWS.map((row) => (
        <div key={row}>
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

interface QueryStateProps {
  /** Whether there is something to show; a refetch never takes it away. */
  ready: boolean;
  loading: boolean;
  /** What is said of a failed load, or null. */
  failure: Failure | null;
  onRetry: () => void;
  children: ReactNode;
}

const RETRY_EVERY_MS = 5000;

/** Tries again by itself while a load has failed and the page is seen, so that the screen recovers with the server. */
function useAutomaticRetry(failed: boolean, retry: () => void): void {
  const retryIfSeen = useEffectEvent(() => {
    if (document.visibilityState === 'visible') retry();
  });
  useEffect(() => {
    if (!failed) return;
    const timer = setInterval(retryIfSeen, RETRY_EVERY_MS);
    return () => clearInterval(timer);
  }, [failed]);
}

/** The last failure stays in sight while it is tried again: an alert that comes and goes would be read out each time. */
function useSteadyFailure(failure: Failure | null, loading: boolean): Failure | null {
  const last = useRef<Failure | null>(null);
  if (!loading || failure) last.current = failure;
  return last.current;
}

/**
 * That a load has failed, and the way to try again; nothing while it goes well. Alone it stands where something else does
 * not wait for the load, such as a form for its choices.
 */
export function LoadFailed({ loading, failure, onRetry }: Pick<QueryStateProps, 'loading' | 'failure' | 'onRetry'>) {
  const steady = useSteadyFailure(failure, loading);
  useAutomaticRetry(steady !== null, onRetry);
  if (!steady) return null;
  return (
    <div className={styles.failure}>
      <Alert
        note={steady.note}
        action={
          <Button variant="outline" size="sm" onClick={onRetry}>
            {uiMessages.retry}
          </Button>
        }
      >
        {steady.sentence}
      </Alert>
    </div>
  );
}

/** Around what a query brings: skeleton, the error with a retry, then the content (kept, with the error above, when a refetch fails). */
export function QueryState({ ready, loading, failure, onRetry, children }: QueryStateProps) {
  const steady = useSteadyFailure(failure, loading);
  const showsSkeleton = useDelayed(loading && !ready && !steady);
  return (
    <div aria-busy={loading || showsSkeleton || undefined}>
      <LoadFailed loading={loading} failure={failure} onRetry={onRetry} />
      {showsSkeleton ? <Skeleton /> : ready && children}
    </div>
  );
}
