import { useEffect, useRef } from 'react';
import { type Failure, failureOf, isAbort } from './failure';
import { notifyFailure } from './notification';

/** What Apollo's query hooks return, as far as a screen needs it. */
export interface QueryResult<Data> {
  data?: Data;
  previousData?: Data;
  loading: boolean;
  error?: unknown;
  refetch: () => Promise<{ data?: Data }>;
}

/** Texts of a failed load. */
export interface LoadFailure {
  /** The sentence for a failure without one of its own (product §8). */
  fallback: string;
  /** Where product §8 wants it as a notification, too: once, until a load succeeds. */
  isNotified?: boolean;
  /** The sentence in place of the content, where it differs from the notification. */
  inPlace?: string;
}

/** Shows a failed load as a notification: once, until a load succeeds. */
function useFailureNotification(error: unknown, loading: boolean, { fallback, isNotified }: LoadFailure): void {
  const wasShown = useRef(false);
  useEffect(() => {
    if (isNotified && error && !wasShown.current && !isAbort(error)) {
      wasShown.current = true;
      notifyFailure(failureOf(error, fallback));
    }
    if (!error && !loading) wasShown.current = false;
  }, [error, loading, fallback, isNotified]);
}

/** The sentence that replaces the content. */
function inPlace(error: unknown, { fallback, inPlace: own }: LoadFailure): Failure {
  const failure = failureOf(error, fallback);
  return own === undefined ? failure : { ...failure, sentence: own };
}

/**
 * The data of a query (the previous data while new ones load) and the props of `QueryState`. `refetch` never rejects: a
 * failure is in `state`, and it resolves to undefined.
 */
export function useQueryState<Data>(result: QueryResult<Data>, failure: LoadFailure) {
  const { data: fresh, previousData, loading, error } = result;
  useFailureNotification(error, loading, failure);
  const data = fresh ?? previousData;
  const refetch = (): Promise<Data | undefined> =>
    result.refetch().then(
      ({ data: read }) => read,
      () => undefined,
    );
  return {
    data,
    refetch,
    state: {
      ready: data !== undefined,
      loading,
      failure: error ? inPlace(error, failure) : null,
      onRetry: () => void refetch(),
    },
  };
}
