import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useEffectEvent, useState } from 'react';
import { PAGE_ROWS } from '../../lib/graphql/query/longLists';
import { type LoadFailure, useQueryState } from '../../lib/graphql/query/useQueryState';
import { notifyFailure } from '../../lib/notifications/notification';
import { isAbort } from '../../lib/userError';
import type { List } from '../../ui/list/list';

/** Maximum number of rows of one call (contract §2). */
const MAX_ROWS = 1_000;

/** Search, order and filter that the server applies. */
export interface ListRequest {
  search: string | null;
  sort: List<never>['sort'];
  /** The chosen option; null for all rows. */
  filter: string | null;
}

const UNFILTERED: ListRequest = { search: null, sort: null, filter: null };

export const toOrder = ({ sort }: Pick<ListRequest, 'sort'>): 'asc' | 'desc' => (sort?.isDescending ? 'desc' : 'asc');

/** Data of a query whose pages the cache joins. The query sets the aliases `page` and `rows`. */
export interface PageData<Row> {
  page: { rows: readonly Row[]; total: number };
}

export interface PagedQuery<Data, Variables extends OperationVariables> {
  document: TypedDocumentNode<Data, Variables>;
  toVariables: (request: ListRequest) => Variables;
}

interface PagedListOptions<Data, Variables extends OperationVariables>
  extends LoadFailure,
    PagedQuery<Data, Variables> {
  request: ListRequest;
  /** The first page of the unfiltered list, which another query reads; undefined if the list is not paged. */
  firstPage: Data | undefined;
  firstPageState: ReturnType<typeof useQueryState<Data>>['state'];
}

/** The pages of the unfiltered list in the cache. A new `firstPage` replaces their beginning. */
function useCachedPages<Data extends PageData<unknown>, Variables extends OperationVariables>(
  pageQuery: { query: TypedDocumentNode<Data, Variables>; variables: Variables },
  firstPage: Data | undefined,
) {
  const client = useApolloClient();
  // An earlier visit to the screen may have read more than the first page.
  const [hasLoadedMore, setLoadedMore] = useState(() => {
    const cached = client.readQuery(pageQuery);
    return cached !== null && cached.page.rows.length > PAGE_ROWS;
  });
  const writeFirstPage = (data: Data) => client.writeQuery({ ...pageQuery, data });
  const refreshFirstPage = useEffectEvent((data: Data) => {
    if (hasLoadedMore) writeFirstPage(data);
  });
  useEffect(() => {
    if (firstPage) refreshFirstPage(firstPage);
  }, [firstPage]);
  return {
    hasLoadedMore,
    /** Writes the first page to the cache, so that the next page can follow it. */
    start: (data: Data) => {
      writeFirstPage(data);
      setLoadedMore(true);
    },
  };
}

/** The pages of a long list. The unfiltered list begins with `firstPage`; its further pages are read on demand. */
export function usePagedList<Data extends PageData<{ _id: string }>, Variables extends OperationVariables>({
  document,
  toVariables,
  request,
  firstPage,
  firstPageState,
  ...failure
}: PagedListOptions<Data, Variables>) {
  const client = useApolloClient();
  const toPageQuery = (pageRequest: ListRequest) => ({
    query: document,
    variables: { ...toVariables(pageRequest), limit: PAGE_ROWS },
  });
  const cachedPages = useCachedPages(toPageQuery(UNFILTERED), firstPage);
  const isUnfiltered = !request.search && !request.sort && !request.filter;
  const isOnFirstPage = isUnfiltered && !cachedPages.hasLoadedMore;
  const { variables } = toPageQuery(request);
  const result = useQuery(document, {
    variables,
    skip: firstPage === undefined || isOnFirstPage,
    // The cache has the first page of the unfiltered list (`useCachedPages`).
    fetchPolicy: isUnfiltered ? 'cache-first' : 'cache-and-network',
    refetchWritePolicy: 'merge',
  });
  const pages = useQueryState(result, failure);
  const [failedAfter, setFailedAfter] = useState<string>();

  const data = isOnFirstPage ? firstPage : (pages.data ?? (isUnfiltered ? firstPage : undefined));
  const state = isOnFirstPage ? firstPageState : pages.state;
  const { rows, total } = data?.page ?? { rows: [], total: 0 };
  const after = rows.at(-1)?._id;

  /** Reads the next page, or repeats a failed call. */
  const load = () => {
    if (state.loading) return;
    if (pages.state.failure) {
      pages.state.onRetry();
      return;
    }
    if (isOnFirstPage && firstPage) cachedPages.start(firstPage);
    setFailedAfter(undefined);
    result.fetchMore({ variables: { ...variables, after } }).catch((error: unknown) => {
      if (isAbort(error)) return;
      setFailedAfter(after);
      notifyFailure(failure.failureMessage)(error);
    });
  };
  const isFailed = !isOnFirstPage && (state.failure !== null || failedAfter === after);
  return {
    data,
    state,
    nextPage: rows.length < total ? { isLoading: state.loading, isFailed, load } : undefined,
    /** Reads the loaded rows again. */
    refetch: async (): Promise<void> => {
      if (isOnFirstPage) return;
      const limit = Math.min(MAX_ROWS, Math.max(PAGE_ROWS, rows.length));
      const options = { query: document, variables: { ...variables, limit }, fetchPolicy: 'network-only' } as const;
      await client.query(options).catch(() => undefined);
    },
  };
}
