import { useState } from 'react';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import type { RequestSubject } from '../../lib/routing/useShowRequests';
import { requestsMessages as messages } from './gateway-requests.messages';
import { useRequestedKeyQuery, useRequestedRouteQuery, useRequestLogQuery } from './generated/gateway-requests';

const LOG_POLL_INTERVAL_MS = 3000;
const INITIAL_LIMIT = 100;
const MAX_SERVER_LIMIT = 500;

/** The graph's argument for each kind of subject. */
const ARGUMENTS = { chave: 'key', rota: 'route', subdominio: 'subdomain', tenant: 'tenant' } as const;
const toQueryFilter = ({ kind, id }: RequestSubject) => (kind === 'todas' ? {} : { [ARGUMENTS[kind]]: id });

/** The name of the subject. For a key or a route it is queried if the URL of the page has only the id. */
export function useSubjectName({ kind, id, name }: RequestSubject): string | undefined {
  const options = { variables: { id }, fetchPolicy: 'cache-first' } as const;
  const { data: key } = useRequestedKeyQuery({ ...options, skip: Boolean(name) || kind !== 'chave' });
  const { data: route } = useRequestedRouteQuery({ ...options, skip: Boolean(name) || kind !== 'rota' });
  return name || key?.apiKey?.name || route?.gatewayRoute?.origin;
}

/** The last requests of a subject, polled while the page is visible and the log is not paused. */
export function useRequestLog(subject: RequestSubject, initialStatus: string) {
  const [status, setStatus] = useState(initialStatus);
  const [limit, setLimit] = useState(INITIAL_LIMIT);
  const [pausedAt, setPausedAt] = useState<number | null>(null);
  const { data, state } = useQueryState(
    useRequestLogQuery({
      variables: { ...toQueryFilter(subject), status: status || null, limit },
      // Older rows would be shown as live when the log is opened again.
      fetchPolicy: 'no-cache',
      pollInterval: pausedAt === null ? LOG_POLL_INTERVAL_MS : 0,
      // A return to the window must not change the rows of a paused log.
      refetchOn: false,
    }),
    { failureMessage: messages.failure },
  );
  const rows = data?.requestLog ?? [];
  return {
    rows,
    state,
    status,
    setStatus,
    pausedAt,
    togglePause: () => setPausedAt(pausedAt === null ? Date.now() : null),
    /** Shows older requests; undefined if the server returns no more. */
    showMore: rows.length >= limit && limit < MAX_SERVER_LIMIT ? () => setLimit(MAX_SERVER_LIMIT) : undefined,
  };
}
