import { useMemo } from 'react';
import { type LoadFailure, type QueryResult, useQueryState } from '../../lib/graphql/query/useQueryState';
import type { Column } from '../../ui/list/column';
import type { ListFilter } from '../../ui/list/list';
import { useList } from './useList';

export interface ListQueryOptions<Data, Row> extends LoadFailure {
  /** Returns the rows of the query's data. Pass a stable function. */
  selectRows: (data: Data) => readonly Row[];
  columns: readonly Column<Row>[];
  /** Returns the text that the search compares. Pass a constant of the module, as for `columns`. */
  toSearchText: (row: Row) => string;
  filter?: ListFilter<Row>;
}

const NO_ROWS: readonly never[] = [];

/**
 * A list whose rows one query returns. `loadedRows` has all rows, and `list` has the matching rows, sorted. Pass the
 * result to `ListQueryView`.
 * @param result the result of the generated query hook: `useListQuery(useAlertChannelsQuery(), { … })`
 */
export function useListQuery<Data, Row extends object>(
  result: QueryResult<Data>,
  { selectRows, columns, toSearchText, filter, ...failure }: ListQueryOptions<Data, Row>,
) {
  const { data, state, refetch } = useQueryState(result, failure);
  const loadedRows = useMemo(() => (data === undefined ? NO_ROWS : selectRows(data)), [data, selectRows]);
  return { data, loadedRows, list: useList(loadedRows, columns, toSearchText, filter), state, refetch };
}
