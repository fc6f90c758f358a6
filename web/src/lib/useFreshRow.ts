import type { TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';

/**
 * Refetches a list and returns one of its rows: for a form whose entity somebody else has saved meanwhile.
 * @returns a function of the id; undefined when the row is gone
 */
export function useFreshRow<Data, Row extends { _id: string; version: number }>(
  query: TypedDocumentNode<Data, Record<string, never>>,
  rowsOf: (data: Data) => readonly Row[],
): (id: string) => Promise<Row | undefined> {
  const client = useApolloClient();
  return async (id) => {
    const { data } = await client.query({ query, fetchPolicy: 'network-only' });
    return data === undefined ? undefined : rowsOf(data).find(({ _id }) => _id === id);
  };
}
