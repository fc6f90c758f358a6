import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { skipToken, useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useEffectEvent, useState } from 'react';
import { PAGE_ROWS } from '../../lib/graphql/query/longLists';
import { type LoadFailure, useQueryState } from '../../lib/graphql/query/useQueryState';
import { notifyFailure } from '../../lib/notifications/notification';
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
 * The loaded pages of the unfiltered list. In the cache, `firstPage` replaces the beginning of the pages that an
 * earlier visit has read. It is written here, because its own query may be uncached (decision 120).
 */
function useUnfilteredPages<Data, Variables extends OperationVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  firstPage: Data | undefined,
): Data | undefined {
  const client = useApolloClient();
  const writeFirstPage = useEffectEvent((data: Data) => client.writeQuery({ query: document, variables, data }));
  useEffect(() => {
    if (firstPage) writeFirstPage(firstPage);
  }, [firstPage]);
  const { data } = useQuery(document, firstPage ? { variables, fetchPolicy: 'cache-only' } : skipToken);
  return data ?? firstPage;
}

/** The pages of a long list, which are read on demand. The cache joins them. */
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
  const variables = { ...toVariables(request), limit: PAGE_ROWS };
  const unfiltered = useUnfilteredPages(document, variables, isUnfiltered ? firstPage : undefined);
  const filtered = useQueryState(
    useQuery(document, isUnfiltered || !firstPage ? skipToken : { variables, refetchWritePolicy: 'merge' }),
    failure,
  );
  const { data, state } = isUnfiltered ? { data: unfiltered, state: firstPageState } : filtered;
  const { rows, total } = data?.page ?? { rows: [], total: 0 };
  const after = rows.at(-1)?._id;
  const [lastCall, setLastCall] = useState<{ after?: string; isFailed: boolean }>();
  /** The call for the page after the last row, if it runs or has failed. */
  const pageCall = lastCall?.after === after ? lastCall : undefined;
  const isLoading = state.loading || pageCall?.isFailed === false;
  const isFailed = filtered.state.failure !== null || pageCall?.isFailed === true;

  /** Adds rows to the list in the cache. Without `no-cache`, Apollo would read the whole list again for each page. */
  const readRows = async (page: { after?: string; limit?: number }): Promise<void> => {
    const options = { query: document, variables: { ...variables, ...page } };
    const response = await client.query({ ...options, fetchPolicy: 'no-cache' });
    if (response.data) client.writeQuery({ ...options, data: response.data });
  };
  /** Reads the next page, or repeats a failed call. */
  const load = () => {
    if (isLoading) return;
    if (filtered.state.failure) {
      filtered.state.onRetry();
      return;
    }
    setLastCall({ after, isFailed: false });
    readRows({ after }).then(
      () => setLastCall(undefined),
      (error: unknown) => {
        setLastCall({ after, isFailed: true });
        notifyFailure(failure.failureMessage)(error);
      },
    );
  };
  return {
    data,
    state,
    nextPage: rows.length < total ? { isLoading, isFailed, load } : undefined,
    /** Reads the loaded rows again; they stay if that fails. The caller refetches the query of `firstPage`. */
    refetch: async (): Promise<void> => {
      if (isUnfiltered && rows.length <= PAGE_ROWS) return;
      await readRows({ limit: Math.min(MAX_ROWS, Math.max(PAGE_ROWS, rows.length)) }).catch(() => undefined);
    },
  };
}
