import type { ReactNode } from 'react';
import type { List } from '../list';

export interface RowContent<Row> {
  row: Row;
  columns: List<Row>['columns'];
  /** A stable function, so that rows do not render again. */
  actions: ((row: Row) => ReactNode) | undefined;
  getRowName: ListViewProps<Row>['getRowName'];
}

/** Props of a list that is shown as a table or as cards. */
export interface ListViewProps<Row> {
  /** With `sort` and `setSort`, the header of each sortable column is a button. */
  list: Pick<List<Row>, 'columns' | 'rows'> & Partial<Pick<List<Row>, 'matchCount' | 'sort' | 'setSort'>>;
  /** Accessible name of the table or the list. */
  label: string;
  rowKey: (row: Row) => string;
  /** `RowAction`s of one row. */
  actions?: (row: Row) => ReactNode;
  /** The name of a row, for its actions. Default: the value by which the heading column sorts. */
  getRowName?: (row: Row) => string;
  /** CSS width of the actions in a wide table. In a narrow table they are icons. */
  actionsWidth?: string;
  /** Number of actions of a row, which sets the width of their column in a narrow table; 3 by default. */
  actionCount?: number;
  /** Level of the cards' headings. Use 3 below an h2. */
  headingLevel?: 2 | 3;
}
