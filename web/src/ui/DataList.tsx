import type { ReactNode } from 'react';
import { Cards } from './Cards';
import { NoMatch } from './EmptyState';
import { Table } from './Table';
import type { List } from './useList';
import { useWideScreen } from './useMediaQuery';

export interface DataListProps<Row> {
  list: List<Row>;
  /** Names the table or the list for screen readers. */
  label: string;
  rowKey: (row: Row) => string;
  /** `RowAction`s of one row. */
  actions?: (row: Row) => ReactNode;
  /** CSS width of the actions in a wide table; in a narrow one they are icons. */
  actionsWidth?: string;
  /** Level of the cards' headings: 3 where the list has an h2 of its own. */
  headingLevel?: 2 | 3;
}

/** A list as table where there is room, else as cards; never both. Above 100 rows only those near the window are there. */
export function DataList<Row>(props: DataListProps<Row>) {
  const wide = useWideScreen();
  const { list } = props;
  if (list.rows.length === 0) return <NoMatch query={list.query} onClear={() => list.setQuery('')} />;
  return wide ? <Table {...props} /> : <Cards {...props} />;
}
