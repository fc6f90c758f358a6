import type { OperationVariables } from '@apollo/client';
import { useEffect, useEffectEvent, useState } from 'react';
import {
  type ListDocument,
  MAX_UNPAGED_ROWS,
  type PageData,
  useCachedPages,
  usePages,
} from '../../lib/graphql/query/usePages';
import type { LoadFailure, QueryResult, useQueryState } from '../../lib/graphql/query/useQueryState';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import type { List } from '../../ui/list/list';
import { type ListQueryOptions, useListQuery } from './useListQuery';

/** Search, order and filter that the server applies. */
export interface ListRequest {
  search: string | null;
  sort: List<never>['sort'];
  /** The chosen option; null for all rows. */
  filter: string | null;
}

const UNFILTERED: ListRequest = { search: null, sort: null, filter: null };

export const toOrder = ({ sort }: Pick<ListRequest, 'sort'>): 'asc' | 'desc' => (sort?.isDescending ? 'desc' : 'asc');

interface LongListOptions<Data, Row, Variables extends OperationVariables>
  extends Omit<ListQueryOptions<Data, Row>, 'selectRows'> {
  document: ListDocument<Data, Variables>;
  toVariables: (request: ListRequest) => Variables;
  /** Returns the rows to show; default: the rows of the query. Pass a stable function. */
  selectRows?: (data: Data) => readonly Row[];
}

const getPageRows = <Row>({ page }: PageData<Row>): readonly Row[] => page.rows;

interface PagedListOptions<Data, Variables extends OperationVariables>
  extends LoadFailure,
    Pick<LongListOptions<Data, never, Variables>, 'document' | 'toVariables'> {
  request: ListRequest;
  /** The first page of the unfiltered list, which another query reads; undefined if the list is not paged. */
  firstPage: Data | undefined;
  firstPageState: ReturnType<typeof useQueryState<Data>>['state'];
}

/** The pages of a long list. The unfiltered list begins with `firstPage`; its further pages are read on demand. */
function usePagedList<Data extends PageData<unknown>, Variables extends OperationVariables>({
  document,
  toVariables,
  request,
  firstPage,
  firstPageState,
  ...failure
}: PagedListOptions<Data, Variables>) {
  const isUnfiltered = !request.search && !request.sort && !request.filter;
  const { hasPages, writeFirstPage } = useCachedPages(document, toVariables(UNFILTERED));
  const [hasLoadedMore, setLoadedMore] = useState(hasPages);
  const isOnFirstPage = isUnfiltered && !hasLoadedMore;
  const pages = usePages(document, {
    variables: toVariables(request),
    skip: firstPage === undefined || isOnFirstPage,
    isFirstPageCached: isUnfiltered && hasLoadedMore,
    failure,
  });
  const refreshFirstPage = useEffectEvent((data: Data) => {
    if (hasLoadedMore) writeFirstPage(data);
  });
  useEffect(() => {
    if (firstPage) refreshFirstPage(firstPage);
  }, [firstPage]);

  if (isOnFirstPage) {
    return {
      data: firstPage,
      state: firstPageState,
      hasFailedAfter: () => false,
      loadMore: (after: string | undefined): void => {
        if (firstPageState.loading || !firstPage) return;
        writeFirstPage(firstPage);
        setLoadedMore(true);
        pages.loadMore(after);
      },
      refetch: async () => undefined,
    };
  }
  return { ...pages, data: pages.data ?? (isUnfiltered ? firstPage : undefined) };
}

/**
 * A list of any length. Up to 2,000 rows come in one response, as in `useListQuery`. A longer list is read in pages,
 * which the server searches, filters and sorts. `list.nextPage` loads the next page. `result` has the first page of the
 * unfiltered list. Pages that an earlier visit has read come from the cache, so that Back restores the scroll position.
 * @param result result of the query with the variables `ALL_OR_FIRST_PAGE`
 */
export function useLongListQuery<
  Data extends PageData<Row>,
  Row extends { _id: string },
  Variables extends OperationVariables,
>(
  result: QueryResult<Data>,
  { document, toVariables, selectRows = getPageRows, ...options }: LongListOptions<Data, Row, Variables>,
) {
  const unpaged = useListQuery(result, { ...options, selectRows });
  const { params } = useSearchParamsState();
  const { sort, filter } = unpaged.list;
  const request = { search: params.get('q'), sort, filter: filter?.value || null };
  const firstData = result.data ?? result.previousData;
  const isPaged = firstData !== undefined && firstData.page.total > MAX_UNPAGED_ROWS;
  const { data, state, ...pages } = usePagedList({
    ...options,
    document,
    toVariables,
    request,
    firstPage: isPaged ? firstData : undefined,
    firstPageState: unpaged.state,
  });
  if (!isPaged) return { ...unpaged, isPaged };

  const allRows = data ? selectRows(data) : [];
  const matchCount = data?.page.total ?? 0;
  const lastId = allRows.at(-1)?._id;
  const nextPage = {
    isLoading: state.loading,
    isFailed: pages.hasFailedAfter(lastId),
    load: () => pages.loadMore(lastId),
  };
  const list: List<Row> = {
    ...unpaged.list,
    rows: allRows,
    matchCount,
    total: firstData.page.total,
    nextPage: allRows.length < matchCount ? nextPage : undefined,
  };
  return {
    allRows,
    isPaged,
    list,
    state: { ...state, isReady: data !== undefined },
    /** Reads the loaded rows and the total number of rows again. */
    refetch: () => Promise.all([unpaged.refetch(), pages.refetch(allRows.length)]).then(([firstPage]) => firstPage),
  };
}
