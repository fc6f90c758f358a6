import type { ApolloClient } from '@apollo/client';
import { useMemo, useState } from 'react';
import type { SubdomainState } from '../../../generated/graph';
import { joinPages } from '../../../lib/graphql/query/listPages';
import { usePolling } from '../../../lib/graphql/query/polling';
import { useQueryState } from '../../../lib/graphql/query/useQueryState';
import { useSearchParamsState } from '../../../lib/routing/useSearchParamsState';
import { useAction } from '../../../ui/form/useAction';
import { SubdomainsDocument, useSubdomainsQuery } from '../generated/subdomains';
import { subdomainsMessages } from '../subdomains.messages';

const PAGE_SIZE = 15;
/** Maximum number of rows of one refreshing call: whole pages within the limit of 100 rows (contract §3). */
const MAX_REFRESH_ROWS = 90;
const { load: failureMessage } = subdomainsMessages.failure;

/** The search text and the state that the list shows. Both are empty if the list shows all subdomains. */
export interface SubdomainFilter {
  search: string;
  state: SubdomainState | '';
}

const STATES: readonly string[] = ['up', 'down', 'unknown', 'paused'] satisfies SubdomainState[];
const isState = (text: string | null): text is SubdomainState => text !== null && STATES.includes(text);

/** The filter in the URL (`?q=`, `?filtro=`). */
export function readFilter(params: URLSearchParams): SubdomainFilter {
  const state = params.get('filtro');
  return { search: params.get('q') ?? '', state: isState(state) ? state : '' };
}

const toVariables = ({ search, state }: SubdomainFilter) => ({ search: search || null, state: state || null });
/** The variables of the first query, which the route sends before this list is rendered (`prefetchQuery`). */
export const toFirstPage = (filter: SubdomainFilter) => ({ page: 1, limit: PAGE_SIZE, ...toVariables(filter) });
const isSameFilter = (a: SubdomainFilter, b: SubdomainFilter) => a.search === b.search && a.state === b.state;

/**
 * Reads all loaded rows again and writes them to the cache. The list shows neither progress nor failure. The fetch
 * policy is `no-cache`, because Apollo would otherwise read the whole joined list from the cache for each page.
 */
async function refreshRows(client: ApolloClient, filter: SubdomainFilter, rowCount: number): Promise<void> {
  const pageCount = Math.max(1, Math.ceil(rowCount / MAX_REFRESH_ROWS));
  const limit = Math.max(1, Math.ceil(rowCount / pageCount / PAGE_SIZE)) * PAGE_SIZE;
  for (let page = 1; page <= pageCount; page += 1) {
    const variables = { page, limit, ...toVariables(filter) };
    const { data } = await client.query({ query: SubdomainsDocument, variables, fetchPolicy: 'no-cache' });
    // Only the last page is broadcast, because a broadcast compares all rows of the list.
    if (data) client.writeQuery({ query: SubdomainsDocument, variables, data, broadcast: page === pageCount });
  }
}

/**
 * Reads the subdomains, newest first, in pages that the cache joins (`listPages.ts`). A new filter begins at page 1. If
 * a page fails, the loaded rows stay. The rows are read again every 15 s, because their health changes.
 */
export function useSubdomains() {
  const { params, update } = useSearchParamsState();
  const filter = readFilter(params);
  const result = useSubdomainsQuery({
    variables: toFirstPage(filter),
    // The route has sent the query already. A filter that was used before shows its cached rows, and reads them again.
    fetchPolicy: 'cache-first',
    nextFetchPolicy: (_, { reason }) => (reason === 'variables-changed' ? 'cache-and-network' : 'cache-first'),
    refetchWritePolicy: 'merge',
  });
  const { data, state, refetch } = useQueryState(result, { failureMessage });
  const [appliedFilter, setAppliedFilter] = useState(filter);
  if (result.data !== undefined && !isSameFilter(appliedFilter, filter)) setAppliedFilter(filter);
  const [pages, setPages] = useState({ filter, last: 1 });

  const { subdomains: loadedPages, total = null } = data?.subdomains ?? {};
  const rows = useMemo(() => joinPages(loadedPages), [loadedPages]);

  usePolling(() => refreshRows(result.client, filter, rows.length));

  const loadingMore = useAction({
    failureMessage,
    isFailureNotified: false,
    send: async () => {
      const last = Math.max(isSameFilter(pages.filter, filter) ? pages.last : 1, Math.ceil(rows.length / PAGE_SIZE));
      await result.fetchMore({ variables: { page: last + 1 } });
      setPages({ filter, last: last + 1 });
    },
  });

  return {
    /** The filter in the URL. */
    filter,
    setState: (state: string) => update({ filtro: state }),
    /** The filter that the rows match. */
    appliedFilter,
    rows,
    total,
    isComplete: total !== null && rows.length >= total,
    loading: state.loading || loadingMore.isPending,
    failure: state.failure ?? loadingMore.failure,
    loadMore: loadingMore.run,
    refetch,
    retry: loadingMore.failure ? loadingMore.run : refetch,
  };
}
