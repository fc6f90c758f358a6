import { useMemo } from 'react';
import { type LoadFailure, type QueryResult, useQueryState } from '../../lib/useQueryState';
import { useRefreshOnReturn } from '../../lib/useRefreshOnReturn';
import type { Column } from './column';
import { type ListFilter, useList } from './useList';

interface ListQueryOptions<Data, Row> extends LoadFailure {
  /** The rows in what the query brings; the same function as long as they are. */
  rowsOf: (data: Data) => readonly Row[];
  columns: readonly Column<Row>[];
  /** What the search looks at; like `columns`, a constant of the module. */
  textOf: (row: Row) => string;
  filter?: ListFilter<Row>;
}

const NO_ROWS: readonly never[] = [];

/**
 * A list that one query brings whole. `all` are its rows, `isEmpty` that there are none at all, `list` those that are found,
 * in order; give all of it to `ListQueryView`.
 * @param result of the generated query hook: `useListQuery(useProjectsQuery(), { … })`
 */
export function useListQuery<Data, Row extends object>(
  result: QueryResult<Data>,
  { rowsOf, columns, textOf, filter, ...failure }: ListQueryOptions<Data, Row>,
) {
  const { data, state, refetch } = useQueryState(result, failure);
  useRefreshOnReturn(refetch);
  const all = useMemo(() => (data === undefined ? NO_ROWS : rowsOf(data)), [data, rowsOf]);
  return { all, isEmpty: state.ready && all.length === 0, list: useList(all, columns, textOf, filter), state, refetch };
}
