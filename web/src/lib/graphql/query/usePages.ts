import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { skipToken, useApolloClient, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { notifyFailure } from '../../notifications/notification';
import { SCREEN_DIALOG_ID } from '../../routing/useDialogParam';
import { isAbort } from '../../userError';
import { type LoadFailure, useQueryState } from './useQueryState';

const PAGE_ROWS = 100;
/** Maximum number of rows of one call (contract §2). */
const MAX_ROWS = 1_000;

export const MAX_UNPAGED_ROWS = 2_000;
/** Variables of a query that returns all rows of a list, or the first page of a list with more than 2,000 rows. */
export const ALL_OR_FIRST_PAGE = { limit: PAGE_ROWS, wholeUpTo: MAX_UNPAGED_ROWS };

export type ListDocument<Data, Variables extends OperationVariables> = TypedDocumentNode<Data, Variables>;
/** Data of a query whose pages the cache joins. The query sets the aliases `page` and `rows`. */
export interface PageData<Row> {
  page: { rows: readonly Row[]; total: number };
}

interface PagesOptions<Variables> {
  variables: Variables;
  skip: boolean;
  /** Whether the cache has the first page already (`useCachedPages`). */
  isFirstPageCached: boolean;
  failure: LoadFailure;
}

const toPageVariables = <Variables extends OperationVariables>(filter: Variables) => ({ ...filter, limit: PAGE_ROWS });

/** The pages of a list in the cache. @param unfiltered variables of the list without search and filter */
export function useCachedPages<Data extends PageData<unknown>, Variables extends OperationVariables>(
  document: ListDocument<Data, Variables>,
  unfiltered: Variables,
) {
  const client = useApolloClient();
  const query = { query: document, variables: toPageVariables(unfiltered) };
  const [hasPages] = useState(() => {
    const data = client.readQuery(query);
    return data !== null && data.page.rows.length > PAGE_ROWS;
  });
  return {
    /** Whether an earlier visit to the screen has read more than the first page. */
    hasPages,
    /** Writes the response of another query into the cache as the first page. */
    writeFirstPage: (data: Data): void => void client.writeQuery({ ...query, data }),
  };
}

/** Reads a long list page by page. `data` has the rows of all pages. */
export function usePages<Data, Variables extends OperationVariables>(
  document: ListDocument<Data, Variables>,
  { variables: filter, skip, isFirstPageCached, failure }: PagesOptions<Variables>,
) {
  const client = useApolloClient();
  const variables = toPageVariables(filter);
  const fetchPolicy = isFirstPageCached ? 'cache-first' : 'cache-and-network';
  const result = useQuery(document, { variables, skip, fetchPolicy, refetchWritePolicy: 'merge' });
  const { data, state } = useQueryState(result, failure);
  const [failedAfter, setFailedAfter] = useState<string>();
  return {
    data,
    state,
    /** Whether the page after the row with this `_id` could not be read. */
    hasFailedAfter: (id: string | undefined): boolean => state.failure !== null || failedAfter === id,
    /** Reads the page after the row with this `_id`, or repeats a failed call. */
    loadMore: (after: string | undefined): void => {
      if (state.loading) return;
      if (state.failure) {
        state.onRetry();
        return;
      }
      setFailedAfter(undefined);
      result.fetchMore({ variables: { ...variables, after } }).catch((error: unknown) => {
        if (isAbort(error)) return;
        setFailedAfter(after);
        notifyFailure(failure.failureMessage)(error);
      });
    },
    /** Reads the first `rows` rows again. */
    refetch: async (rows: number): Promise<void> => {
      const limit = Math.min(MAX_ROWS, Math.max(PAGE_ROWS, rows));
      const query = { query: document, variables: { ...variables, limit }, fetchPolicy: 'network-only' } as const;
      await client.query(query).catch(() => undefined);
    },
  };
}

/** The row of the open dialog. If no loaded page contains the row, it is read by its id. @param query reads one row */
export function useDialogRow<Row extends { _id: string }, RowData>(
  { allRows, isPaged }: { allRows: readonly Row[]; isPaged: boolean },
  id: string | null,
  query: TypedDocumentNode<RowData, { id: string }>,
  selectRow: (data: RowData) => Row | null | undefined,
): Row | undefined {
  const loadedRow = allRows.find(({ _id }) => _id === id);
  const isQueried = isPaged && !loadedRow && id !== null && id !== SCREEN_DIALOG_ID;
  const { data } = useQuery(query, isQueried ? { variables: { id } } : skipToken);
  return loadedRow ?? (isQueried && data ? (selectRow(data) ?? undefined) : undefined);
}
