import type { ReactNode } from 'react';

/**
 * One column of a list, shown as a cell of a table or a line of a card. Keep cells light: plain elements, no Chakra
 * components.
 */
export interface Column<Row> {
  /** Id of the column, also for the order in the URL (`?sort=-name`). */
  id: string;
  header: string;
  /** The content of a cell. Default: the value of `sort`. */
  cell?: (row: Row) => ReactNode;
  /** Makes the column sortable. Null sorts first. */
  sort?: (row: Row) => string | number | null;
  /** CSS width in the table. Columns without a width share the remaining space. */
  width?: string;
  /** Share of the width of a card on a tablet, relative to the other columns. Default: 1. */
  flex?: number;
  /** Whether the column needs a wide screen. A list with such a column is shown as cards on a tablet. */
  isWide?: boolean;
  /** Whether the cells are counts or durations, which are aligned with the end of the column. */
  isNumeric?: boolean;
  /** Whether a card shows the column as its heading instead of a labelled line. */
  isHeading?: boolean;
}

/** The value by which the heading column sorts. */
export const getHeadingText = <Row>(columns: readonly Column<Row>[], row: Row): string =>
  String(columns.find(({ isHeading }) => isHeading)?.sort?.(row) ?? '');

export const renderCell = <Row>({ cell, sort }: Column<Row>, row: Row): ReactNode => (cell ?? sort)?.(row);
