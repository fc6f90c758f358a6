import { NetworkStatus } from '@apollo/client';
import { useEffect, useRef } from 'react';
import { notifyError } from '../../notifications/notification';
import { isAbort, toUserError, type UserError } from '../../userError';

/** The part of an Apollo query's result that a screen needs. */
export interface QueryResult<Data> {
  data?: Data;
  previousData?: Data;
  loading: boolean;
  networkStatus?: NetworkStatus;
  error?: unknown;
  refetch: () => Promise<{ data?: Data }>;
}

export interface LoadFailure {
  /** The message if the server's error has none (product §8). */
  failureMessage: string;
  /** Whether the failure is also shown as a notification: once, until a load succeeds (product §8). */
  isFailureNotified?: boolean;
  /** The message that replaces the content; default: the message of the notification. */
  inlineMessage?: string;
}

/** Shows a failed load as a notification: once, until a load succeeds. */
function useFailureNotice(error: unknown, loading: boolean, { failureMessage, isFailureNotified }: LoadFailure): void {
  const wasShown = useRef(false);
  useEffect(() => {
    if (isFailureNotified && error && !wasShown.current && !isAbort(error)) {
      wasShown.current = true;
      notifyError(toUserError(error, failureMessage));
    }
    if (!error && !loading) wasShown.current = false;
  }, [error, loading, failureMessage, isFailureNotified]);
}

function toInlineMessage(error: unknown, { failureMessage, inlineMessage }: LoadFailure): UserError {
  const failure = toUserError(error, failureMessage);
  return inlineMessage === undefined ? failure : { ...failure, message: inlineMessage };
}

/**
 * The data of a query and the props of `QueryState`. `refetch` never rejects: after a failure it resolves to undefined,
 * and `state` has the failure. The previous data stay after a failed refetch and while a new filter loads. They never
 * belong to another entity, because a new path mounts the screen again (`RequireAuth`).
 */
export function useQueryState<Data>(result: QueryResult<Data>, failure: LoadFailure) {
  const { data: newData, previousData, loading, error } = result;
  useFailureNotice(error, loading, failure);
  const data = newData ?? previousData;
  const refetch = (): Promise<Data | undefined> =>
    result.refetch().then(
      (response) => response.data,
      () => undefined,
    );
  return {
    data,
    refetch,
    state: {
      isReady: data !== undefined,
      loading,
      isPolling: result.networkStatus === NetworkStatus.poll,
      failure: error ? toInlineMessage(error, failure) : null,
      onRetry: () => void refetch(),
    },
  };
}
