import { client } from '../../lib/client';
import { useAccessQuery } from './generated/access';
import { useSessionCountsQuery } from './generated/session-links';

const POLL_INTERVAL_MS = 30_000;

/** Numbers of open alerts and of unhandled messages. */
export function useSessionCounts() {
  // The rights that the server returned. The stored ones may belong to another account, and the query would be refused.
  const { data: access } = useAccessQuery({ client, fetchPolicy: 'cache-first' });
  const withMessages = access !== undefined && access.me.role !== 'viewer' && !access.me.projects;
  const { data } = useSessionCountsQuery({
    // The top bar is outside of the console's ApolloProvider.
    client,
    variables: { withMessages },
    skip: access === undefined,
    fetchPolicy: 'no-cache',
    pollInterval: POLL_INTERVAL_MS,
    skipPollAttempt: () => document.visibilityState !== 'visible',
  });
  return { alerts: data?.alerts.total ?? 0, messages: data?.contactMessages?.unread ?? 0 };
}
