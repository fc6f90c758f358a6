import { useEffect, useEffectEvent, useState } from 'react';
import {
  type ListDocument,
  type ListVariables,
  useCachedPages,
  usePages,
  WHOLE_LIST,
} from '../../lib/graphql/usePages';
import type { QueryResult } from '../../lib/graphql/useQueryState';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import type { List } from './useList';
import { type ListQueryOptions, useListQuery } from './useListQuery';

/** Search, order and filter that the server applies. */
export interface ListRequest {
  search: string | null;
  sort: List<never>['sort'];
  /** The chosen option; null for all rows. */
  filter: string | null;
}

const UNFILTERED: ListRequest = { search: null, sort: null, filter: null };

/** The order of a request. */
export const orderOf = ({ sort }: Pick<ListRequest, 'sort'>): 'asc' | 'desc' => (sort?.descending ? 'desc' : 'asc');

interface LongListOptions<Data, Row, Variables extends ListVariables> extends ListQueryOptions<Data, Row> {
  /** The query of `result`. */
  document: ListDocument<Data, Variables>;
  totalOf: (data: Data) => number;
  variablesOf: (request: ListRequest) => Variables;
}

/**
 * A list of any length. With up to 2,000 rows it is read in one piece, as by `useListQuery`. A longer list is read in
 * pages, which the server searches, filters and sorts. `list.more` loads the next page. `result` has the first page of
 * the unfiltered list. Pages that an earlier visit has read come from the cache, so that Back leads to the row at which
 * the user left.
 * @param result result of the query with the variables `WHOLE_LIST`
 */
export function useLongListQuery<Data, Row extends { _id: string }, Variables extends ListVariables>(
  result: QueryResult<Data>,
  { document, totalOf, variablesOf, ...options }: LongListOptions<Data, Row, Variables>,
) {
  const wholeListQuery = useListQuery(result, options);
  const { params } = useSearchParamsState();
  const firstData = result.data ?? result.previousData;
  const isLong = firstData !== undefined && totalOf(firstData) > WHOLE_LIST.wholeUpTo;
  const { sort, filter } = wholeListQuery.list;
  const request = { search: params.get('q'), sort, filter: filter?.value || null };
  const isUnfiltered = !request.search && !request.sort && !request.filter;
  const { hasPages, writeFirstPage } = useCachedPages(document, variablesOf(UNFILTERED), options.rowsOf);
  const [isContinued, setContinued] = useState(hasPages);
  const isOnFirstPage = isUnfiltered && !isContinued;
  const pages = usePages(document, {
    variables: variablesOf(request),
    skip: !isLong || isOnFirstPage,
    isStarted: isUnfiltered && isContinued,
    failure: options,
  });
  const refreshFirstPage = useEffectEvent(() => {
    if (isLong && isContinued) writeFirstPage(firstData);
  });
  useEffect(() => {
    if (firstData) refreshFirstPage();
  }, [firstData]);
  const { state } = isOnFirstPage ? wholeListQuery : pages;
  const shownData = isOnFirstPage ? firstData : (pages.data ?? (isUnfiltered ? firstData : undefined));
  const all = isLong ? (shownData ? options.rowsOf(shownData) : []) : wholeListQuery.all;

  if (!isLong || !firstData) return { ...wholeListQuery, isLong };

  const matchCount = shownData ? totalOf(shownData) : 0;
  const hasMore = all.length < matchCount;
  const lastId = all.at(-1)?._id;
  const isFailed = !isOnFirstPage && (state.failure !== null || pages.failedAfter === lastId);
  const loadMore = () => {
    if (state.loading) return;
    if (isOnFirstPage) {
      writeFirstPage(firstData);
      setContinued(true);
    } else if (state.failure) {
      state.onRetry();
      return;
    }
    pages.loadMore(lastId);
  };
  return {
    all,
    isLong,
    list: {
      ...wholeListQuery.list,
      rows: all,
      matchCount,
      total: totalOf(firstData),
      searched: request.search ?? '',
      more: hasMore ? { isLoading: state.loading, isFailed, load: loadMore } : undefined,
    },
    state: { ...state, ready: shownData !== undefined },
    /** Reads all loaded rows again, and the number of rows. */
    refetch: async () => {
      await Promise.all([wholeListQuery.refetch(), !isOnFirstPage && pages.refetch(all.length)]);
    },
  };
}
