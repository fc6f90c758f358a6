import { NetworkStatus, type OperationVariables } from '@apollo/client';
import { useQueryRefHandlers, useReadQuery } from '@apollo/client/react';
import { useState, useTransition } from 'react';
import type { ScreenQuery } from './preloadQuery';

/**
 * Reads a query that the route has preloaded (`preloadQuery`). Suspends until the first response; a refetch keeps the
 * data on screen. Returns the properties that `useQueryState` and `useListQuery` take.
 */
export function usePreloadedQuery<Data, Variables extends OperationVariables>(queryRef: ScreenQuery<Data, Variables>) {
  const { data: responseData, error, networkStatus } = useReadQuery(queryRef);
  // A response that contains only errors has `data: null`.
  const data = responseData ?? undefined;
  const { refetch } = useQueryRefHandlers(queryRef);
  const [isPending, startTransition] = useTransition();
  const [previousData, setPreviousData] = useState(data);
  if (data !== undefined && data !== previousData) setPreviousData(data);
  return {
    data,
    previousData,
    error,
    loading: isPending || networkStatus < NetworkStatus.ready,
    /** Runs as a transition, so that the screen does not suspend. */
    refetch: (): ReturnType<typeof refetch> =>
      new Promise((resolve, reject) => {
        startTransition(async () => {
          await refetch().then(resolve, reject);
        });
      }),
  };
}
