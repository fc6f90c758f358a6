import type { OperationVariables } from '@apollo/client';
import { MAX_UNPAGED_ROWS } from '../../lib/graphql/query/longLists';
import type { QueryResult } from '../../lib/graphql/query/useQueryState';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import type { List } from '../../ui/list/list';
import { type ListQueryOptions, useListQuery } from './useListQuery';
import { type PageData, type PagedQuery, usePagedList } from './usePagedList';

interface LongListOptions<Data, Row, Variables extends OperationVariables>
  extends Omit<ListQueryOptions<Data, Row>, 'selectRows'>,
    PagedQuery<Data, Variables> {
  /** Returns the rows to show; default: the rows of the query. Pass a stable function. */
  selectRows?: (data: Data) => readonly Row[];
}

const getPageRows = <Row>({ page }: PageData<Row>): readonly Row[] => page.rows;

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
  const { data: firstPage, list: unpagedList } = unpaged;
  const { sort, filter } = unpagedList;
  const isPaged = firstPage !== undefined && firstPage.page.total > MAX_UNPAGED_ROWS;
  const { data, state, nextPage, refetch } = usePagedList({
    ...options,
    document,
    toVariables,
    request: { search: params.get('q'), sort, filter: filter?.value || null },
    firstPage: isPaged ? firstPage : undefined,
    firstPageState: unpaged.state,
  });
  if (!isPaged) return { ...unpaged, isPaged };

  const rows = data ? selectRows(data) : [];
  const { total } = firstPage.page;
  const list: List<Row> = { ...unpagedList, rows, matchCount: data?.page.total ?? 0, total, nextPage };
  return {
    loadedRows: rows,
    isPaged,
    list,
    state,
    /** Reads the loaded rows and the total number of rows again. */
    refetch: () => Promise.all([unpaged.refetch(), refetch()]).then(([newFirstPage]) => newFirstPage),
  };
}
