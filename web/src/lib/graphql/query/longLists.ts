import type { TypedDocumentNode } from '@apollo/client';
import { skipToken, useQuery } from '@apollo/client/react';
import { SCREEN_DIALOG_ID } from '../../routing/useDialogParam';

export const PAGE_ROWS = 100;
export const MAX_UNPAGED_ROWS = 2_000;
/** Variables of a query that returns all rows of a list, or the first page of a list with more than 2,000 rows. */
export const ALL_OR_FIRST_PAGE = { limit: PAGE_ROWS, wholeUpTo: MAX_UNPAGED_ROWS };

/** The row of the open dialog. If a paged list has not loaded the row yet, `query` reads the row by its id. */
export function useDialogRow<Row extends { _id: string }, RowData>(
  { loadedRows, isPaged }: { loadedRows: readonly Row[]; isPaged: boolean },
  id: string | null,
  query: TypedDocumentNode<RowData, { id: string }>,
  selectRow: (data: RowData) => Row | null | undefined,
): Row | undefined {
  const loadedRow = loadedRows.find(({ _id }) => _id === id);
  const isQueried = isPaged && !loadedRow && id !== null && id !== SCREEN_DIALOG_ID;
  const { data } = useQuery(query, isQueried ? { variables: { id } } : skipToken);
  return loadedRow ?? (isQueried && data ? (selectRow(data) ?? undefined) : undefined);
}
