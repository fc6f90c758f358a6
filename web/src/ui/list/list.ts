import type { Column } from './column';

interface Sort {
  column: string;
  isDescending: boolean;
}

/** A filter of the rows, whose value is in the URL (`?filtro=`). Pass a constant of the module. */
export interface ListFilter<Row> {
  label: string;
  /** Label of the option that shows all rows. */
  allLabel: string;
  options: readonly { value: string; label: string }[];
  getValue: (row: Row) => string;
}

/** A list on screen with its search and its order, which are in the URL (`?q=&sort=-name`). */
export interface List<Row> {
  columns: readonly Column<Row>[];
  /** Rows that match the search and the filter, sorted. */
  rows: readonly Row[];
  /** Number of rows that match. The number exceeds the length of `rows` until all pages are read. */
  matchCount: number;
  /** Number of rows without search and filter. */
  total: number;
  /** Loads the next page of a list that is read in pages. After a failure only the button loads it again. */
  nextPage?: { isLoading: boolean; isFailed: boolean; load: () => void } | undefined;
  search: string;
  setSearch: (text: string) => void;
  /** The text that the rows match. It follows `search` with a delay. */
  appliedSearch: string;
  sort: Sort | null;
  setSort: (sort: Sort) => void;
  /** The filter with its current value; an empty `value` shows all rows. */
  filter: (ListFilter<Row> & { value: string; setValue: (value: string) => void }) | null;
}

/** The text of an order for the URL: `name`, or `-name` for descending. */
export const formatSort = ({ column, isDescending }: Sort): string => `${isDescending ? '-' : ''}${column}`;

export const parseSort = (text: string): Sort => ({
  column: text.replace(/^-/, ''),
  isDescending: text.startsWith('-'),
});
