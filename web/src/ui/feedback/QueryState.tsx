import { Button, chakra, Grid } from '@chakra-ui/react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { UserError } from '../../lib/userError';
import { uiMessages } from '../ui.messages';
import { Alert } from './Alert';

const Bar = chakra('span', {
  base: { h: '12px', borderRadius: 'sm', bg: 'bg.subtle', animation: 'pulse 1.4s ease-in-out infinite' },
});
/** For each shape the number of rows, the style of a row and the sizes of the grey bars in it. */
const SKELETONS = {
  list: {
    rows: 6,
    layerStyle: 'rows',
    row: { templateColumns: '2fr 3fr 1fr', alignItems: 'center', gap: '6', h: '52px', px: '4' },
    bars: [{}, {}, {}],
  },
  /** Labels above their controls. */
  form: {
    rows: 2,
    layerStyle: undefined,
    row: { gap: '2', maxW: '480px', mt: '4' },
    bars: [{ w: '120px' }, { h: '40px' }, { w: '80%' }],
  },
  text: {
    rows: 2,
    layerStyle: undefined,
    row: { gap: '3', mt: '4' },
    bars: [{ w: 'min(200px, 50%)', h: '16px' }, {}, { w: '60%' }],
  },
};

/**
 * Placeholder of content that is loading: a `list` on a panel of its own, or a `form` or some `text` inside of a panel.
 * The placeholder occupies its space at once and fades in after 200 ms, so that a fast response causes no flicker.
 */
export function Skeleton({ shape = 'list' }: { shape?: keyof typeof SKELETONS }) {
  const { rows, layerStyle, row, bars } = SKELETONS[shape];
  return (
    <chakra.div
      layerStyle={layerStyle}
      animation="fade-in 0.15s 0.2s backwards"
      role="status"
      aria-label={uiMessages.loading}
    >
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
        <Grid key={index} {...row}>
          {bars.map((size, bar) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change
            <Bar key={bar} {...size} />
          ))}
        </Grid>
      ))}
    </chakra.div>
  );
}

interface QueryStateProps {
  /** Whether content can be shown. It stays true during a refetch. */
  isReady: boolean;
  loading: boolean;
  /** Whether the current load is a poll, which does not make the content busy. */
  isPolling?: boolean;
  /** The error of a failed load, or null. */
  failure: UserError | null;
  /** Absent if a retry would fail again. */
  onRetry?: () => void;
  skeleton?: keyof typeof SKELETONS;
  children: ReactNode;
}

const RETRY_INTERVAL_MS = 5000;

/** Repeats a failed load while the page is visible, so that the screen recovers with the server. */
function useAutomaticRetry(hasFailed: boolean, retry: (() => void) | undefined): void {
  const retryIfVisible = useEffectEvent(() => {
    if (document.visibilityState === 'visible') retry?.();
  });
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setInterval(retryIfVisible, RETRY_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [hasFailed]);
}

/** Keeps the last error on screen during a retry. Otherwise a screen reader would announce it at each retry. */
function useLastFailure(failure: UserError | null, loading: boolean): UserError | null {
  const [lastFailure, setLastFailure] = useState(failure);
  if (loading && !failure) return lastFailure;
  if (failure?.message !== lastFailure?.message || failure?.note !== lastFailure?.note) setLastFailure(failure);
  return failure;
}

/** In a panel the alert has a margin to the text above it, but no bottom margin without content below. */
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
export function QueryState({ isReady, loading, isPolling, failure, onRetry, skeleton, children }: QueryStateProps) {
  const shownFailure = useLastFailure(failure, loading);
  return (
    <div aria-busy={(loading && !isPolling) || undefined}>
      <LoadFailed loading={loading} failure={failure} onRetry={onRetry} />
      {isReady ? children : !shownFailure && <Skeleton shape={skeleton} />}
    </div>
  );
}
