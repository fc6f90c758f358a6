import type { ComponentProps, ReactNode } from 'react';
import { NoMatch } from '../feedback/EmptyState';
import { QueryState } from '../feedback/QueryState';
import { ListToolbar } from './ListToolbar';
import type { List } from './useList';

interface ListRowsProps<Row> {
  list: List<Row>;
  /** Names the search: "Buscar projetos". */
  searchLabel: string;
  /** What stands there before the first row exists: an `EmptyState`. */
  empty: ReactNode;
  /** The rows: a `DataList`, as a rule. */
  children: ReactNode;
}

/** A list that has been loaded: its rows below the toolbar, or why there are none. */
export function ListRows<Row>({ list, searchLabel, empty, children }: ListRowsProps<Row>) {
  if (list.total === 0) return empty;
  return (
    <>
      <ListToolbar list={list} label={searchLabel} />
      {list.rows.length > 0 ? (
        children
      ) : (
        <NoMatch
          search={list.searched}
          onClear={() => {
            list.setSearch('');
            list.filter?.setValue('');
          }}
        />
      )}
    </>
  );
}

interface ListQueryViewProps<Row> extends Omit<ListRowsProps<Row>, 'list'> {
  /** As `useListQuery` gives it. */
  query: { list: List<Row>; state: Omit<ComponentProps<typeof QueryState>, 'children'> };
}

/** The list of a query, or that it is on its way or has failed. */
export const ListQueryView = <Row,>({ query: { list, state }, ...rows }: ListQueryViewProps<Row>) => (
  <QueryState {...state}>
    <ListRows list={list} {...rows} />
  </QueryState>
);
