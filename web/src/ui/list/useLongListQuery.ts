import { useEffect, useEffectEvent, useState } from 'react';
import { type ListDocument, type ListVariables, useCachedPages, usePages, wholeList } from '../../lib/usePages';
import type { QueryResult } from '../../lib/useQueryState';
import { useSearchParamsState } from '../../lib/useSearchParamsState';
import type { List } from './useList';
import { type ListQueryOptions, useListQuery } from './useListQuery';

/** Search, order and filter that the server applies. */
export interface ListRequest {
  search: string | null;
  sort: List<never>['sort'];
  /** The chosen option; null for all. */
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
 * A list of any length. Up to 2,000 rows it is whole, as `useListQuery` has it. A longer one is read in pages that the server
 * searches, filters and sorts; `list.more` loads the next one. The first page of the unfiltered list is that of `result`. Pages that
 * an earlier visit has read come from the cache, so that the way back leads to the row that the screen was left at.
 * @param result of the query with the variables `wholeList`
 */
export function useLongListQuery<Data, Row extends { _id: string }, Variables extends ListVariables>(
  result: QueryResult<Data>,
  { document, totalOf, variablesOf, ...options }: LongListOptions<Data, Row, Variables>,
) {
  const whole = useListQuery(result, options);
  const { params } = useSearchParamsState();
  const first = result.data ?? result.previousData;
  const isLong = first !== undefined && totalOf(first) > wholeList.wholeUpTo;
  const { sort, filter } = whole.list;
  const request = { search: params.get('q'), sort, filter: filter?.value || null };
  const isUnfiltered = !request.search && !request.sort && !request.filter;
  const { hasPages, startWith } = useCachedPages(document, variablesOf(UNFILTERED), options.rowsOf);
  const [isContinued, setContinued] = useState(hasPages);
  const hasFirstPage = isUnfiltered && !isContinued;
  const pages = usePages(document, {
    variables: variablesOf(request),
    skip: !isLong || hasFirstPage,
    isStarted: isUnfiltered && isContinued,
    failure: options,
  });
  const refreshFirstPage = useEffectEvent(() => {
    if (isLong && isContinued) startWith(first);
  });
  useEffect(() => {
    if (first) refreshFirstPage();
  }, [first]);
  const { state } = hasFirstPage ? whole : pages;
  const shown = hasFirstPage ? first : (pages.data ?? (isUnfiltered ? first : undefined));
  const all = isLong ? (shown ? options.rowsOf(shown) : []) : whole.all;

  if (!isLong || !first) return { ...whole, isLong };

  const found = shown ? totalOf(shown) : 0;
  const hasMore = all.length < found;
  const last = all.at(-1)?._id;
  const isFailed = !hasFirstPage && (state.failure !== null || pages.failedAfter === last);
  const loadMore = () => {
    if (state.loading) return;
    if (hasFirstPage) {
      startWith(first);
      setContinued(true);
    } else if (state.failure) {
      state.onRetry();
      return;
    }
    pages.loadMore(last);
  };
  return {
    all,
    isLong,
    list: {
      ...whole.list,
      rows: all,
      found,
      total: totalOf(first),
      searched: request.search ?? '',
      more: hasMore ? { isLoading: state.loading, isFailed, load: loadMore } : undefined,
    },
    state: { ...state, ready: shown !== undefined },
    /** Reads all loaded rows again, and the number of rows. */
    refetch: async () => {
      await Promise.all([whole.refetch(), !hasFirstPage && pages.refetch(all.length)]);
    },
  };
}
