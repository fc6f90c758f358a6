import { Button, chakra } from '@chakra-ui/react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import type { UserError } from '../../lib/graphql/userError';
import { uiMessages } from '../ui.messages';
import { Alert } from './Alert';
import styles from './QueryState.module.css';

/** The rows of each skeleton. A number is the React key of its row. */
const SKELETON_ROWS = { list: [1, 2, 3, 4, 5, 6], form: [1, 2], text: [1, 2] };

/**
 * Placeholder of content that is loading: a `list` on a panel of its own, or a `form` or some `text` inside of a panel.
 * It takes its place at once, but fades in after 200 ms, so that it does not flicker before a fast response.
 */
export function Skeleton({ shape = 'list' }: { shape?: keyof typeof SKELETON_ROWS }) {
  return (
    <div className={styles[shape]} role="status" aria-label={uiMessages.loading}>
      {SKELETON_ROWS[shape].map((row) => (
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
  /** Whether content can be shown. It stays true during a refetch. */
  ready: boolean;
  loading: boolean;
  /** The error of a failed load, or null. */
  failure: UserError | null;
  /** Absent if a retry would fail again. */
  onRetry?: () => void;
  /** The shape of the skeleton. */
  skeleton?: keyof typeof SKELETON_ROWS;
  children: ReactNode;
}

const RETRY_EVERY_MS = 5000;

/** Repeats a failed load while the page is visible, so that the screen recovers with the server. */
function useAutomaticRetry(failed: boolean, retry: (() => void) | undefined): void {
  const retryIfSeen = useEffectEvent(() => {
    if (document.visibilityState === 'visible') retry?.();
  });
  useEffect(() => {
    if (!failed) return;
    const timer = setInterval(retryIfSeen, RETRY_EVERY_MS);
    return () => clearInterval(timer);
  }, [failed]);
}

/**
 * Keeps the last error on screen during a retry: a screen reader would announce an alert that comes and goes each time.
 */
function useLastFailure(failure: UserError | null, loading: boolean): UserError | null {
  const lastFailure = useRef<UserError | null>(null);
  if (!loading || failure) lastFailure.current = failure;
  return lastFailure.current;
}

/**
 * In a panel the alert has a margin to the title or text above it. Without content below it, it has no margin there.
 */
const inPanelCss = { 'h2 + div > &, h2 + p + div > &': { mt: '4' }, '&:last-child': { mb: '0' } };

/**
 * Shows that a load has failed, with a retry. Use it without `QueryState` if the rest of the screen does not wait for
 * the load, such as a form whose choices are loading.
 */
export function LoadFailed({ loading, failure, onRetry }: Pick<QueryStateProps, 'loading' | 'failure' | 'onRetry'>) {
  const shownFailure = useLastFailure(failure, loading);
  useAutomaticRetry(shownFailure !== null, onRetry);
  if (!shownFailure) return null;
  return (
    <chakra.div mb="4" css={inPanelCss}>
      <Alert
        note={shownFailure.note}
        action={
          onRetry && (
            <Button variant="outline" size="sm" onClick={onRetry}>
              {uiMessages.retry}
            </Button>
          )
        }
      >
        {shownFailure.message}
      </Alert>
    </chakra.div>
  );
}

/**
 * Shows a skeleton, the error with a retry, or the content of a query. A failed refetch keeps the content below the
 * error.
 */
export function QueryState({ ready, loading, failure, onRetry, skeleton, children }: QueryStateProps) {
  const shownFailure = useLastFailure(failure, loading);
  return (
    <div aria-busy={loading || undefined}>
      <LoadFailed loading={loading} failure={failure} onRetry={onRetry} />
      {ready ? children : !shownFailure && <Skeleton shape={skeleton} />}
    </div>
  );
}
