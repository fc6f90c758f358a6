import type { ReactNode } from 'react';

/** One column of a list: a cell of the table, a line of the card. Keep cells light: plain elements, no Chakra components. */
export interface Column<Row> {
  /** Names the order in the address. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable. Null sorts first. */
  sort?: (row: Row) => string | number | null;
  /** CSS width in the table; the rest share what is left. */
  width?: string;
  /** Share of a tablet's card relative to the other columns, as in `flex`. Default 1. */
  flex?: number;
  /** The cells need little width (a number, a date, a chip, a name). A list of such columns is a table on a tablet, too. */
  compact?: boolean;
  /** The cells are counts or durations, which are aligned with the end of the column. */
  numeric?: boolean;
  /** The card's heading instead of a labelled line (the first column, as a rule). */
  heading?: boolean;
}
