import { useEffect } from 'react';
import { client } from '../../lib/graphql/client/client';
import { createStore } from '../../lib/store';
import { useAccessQuery } from './generated/access';
import { useSessionCountsQuery } from './generated/session-links';

const COUNTS_POLL_INTERVAL_MS = 30_000;

/** Number of unhandled messages at the last poll, for the menus. */
export const unhandledCountStore = createStore(0);

export function useSessionCounts() {
  // The rights are read from the server, because stored rights may be those of another account.
  const { data: access } = useAccessQuery({ client, fetchPolicy: 'cache-first' });
  // The server refuses the counts of alerts and messages to accounts that are limited to projects.
  const canReadCounts = access !== undefined && access.me.projects === null;
  const { data } = useSessionCountsQuery({
    // The top bar is outside of the console's ApolloProvider.
    client,
    variables: { withMessages: access?.me.role !== 'viewer' },
    skip: !canReadCounts,
    // In the cache, this query without rows could make the lists of alerts and messages appear empty.
    fetchPolicy: 'no-cache',
    pollInterval: COUNTS_POLL_INTERVAL_MS,
  });
  const unhandledMessages = data?.contactMessages?.unread ?? 0;
  useEffect(() => unhandledCountStore.set(unhandledMessages), [unhandledMessages]);
  return { openAlerts: data?.alerts.total ?? 0, unhandledMessages };
}
