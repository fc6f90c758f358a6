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

/**
 * The pages of a long list, which are read on demand. The unfiltered list begins with `firstPage`. In the cache, this
 * page replaces the beginning of the pages that an earlier visit has read.
 */
export function usePagedList<Data extends PageData<{ _id: string }>, Variables extends OperationVariables>({
  document,
  toVariables,
  request,
  firstPage,
  firstPageState,
  ...failure
}: PagedListOptions<Data, Variables>) {
  const client = useApolloClient();
  const isUnfiltered = !request.search && !request.sort && !request.filter;
  const toPageVariables = (pageRequest: ListRequest) => ({ ...toVariables(pageRequest), limit: PAGE_ROWS });
  const variables = toPageVariables(request);
  const [isFirstPageCached, setFirstPageCached] = useState(false);
  const result = useQuery(document, {
    variables,
    skip: firstPage === undefined || (isUnfiltered && !isFirstPageCached),
    fetchPolicy: isUnfiltered ? 'cache-first' : 'cache-and-network',
    // A search that was made before is read again.
    nextFetchPolicy: (current, { reason }) => (reason === 'variables-changed' ? current : 'cache-first'),
    // The query of `firstPage` is refetched instead.
    refetchOn: !isUnfiltered,
    refetchWritePolicy: 'merge',
  });
  const pages = useQueryState(result, failure);
  const writeFirstPage = useEffectEvent((page: Data) => {
    client.writeQuery({ query: document, variables: toPageVariables(UNFILTERED), data: page });
    setFirstPageCached(true);
  });
  useEffect(() => {
    if (firstPage) writeFirstPage(firstPage);
  }, [firstPage]);
  const [failedAfter, setFailedAfter] = useState<string>();

  const data = isUnfiltered ? (result.data ?? firstPage) : pages.data;
  const state = isUnfiltered ? firstPageState : pages.state;
  const isLoading = state.loading || result.loading;
  const { rows, total } = data?.page ?? { rows: [], total: 0 };
  const after = rows.at(-1)?._id;

  /** Reads the next page, or repeats a failed call. */
  const load = () => {
    if (isLoading) return;
    if (pages.state.failure) {
      pages.state.onRetry();
      return;
    }
    setFailedAfter(undefined);
    result.fetchMore({ variables: { ...variables, after } }).catch((error: unknown) => {
      if (isAbort(error)) return;
      setFailedAfter(after);
      notifyFailure(failure.failureMessage)(error);
    });
  };
  const isFailed = pages.state.failure !== null || failedAfter === after;
  return {
    data,
    state,
    nextPage: rows.length < total ? { isLoading, isFailed, load } : undefined,
    /** Reads the loaded rows again; they stay if that fails. The caller refetches the query of `firstPage`. */
    refetch: async (): Promise<void> => {
      if (isUnfiltered && rows.length <= PAGE_ROWS) return;
      const limit = Math.min(MAX_ROWS, Math.max(PAGE_ROWS, rows.length));
      const options = { query: document, variables: { ...variables, limit }, fetchPolicy: 'network-only' } as const;
      await client.query(options).catch(() => undefined);
    },
  };
}
