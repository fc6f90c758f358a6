import type { TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';

/**
 * Returns a function that reads an entity from the server, for a form whose entity another person has saved meanwhile. It
 * resolves to undefined if the entity was removed.
 * @param query of one entity by its id
 */
export function useFreshRow<Data, Row>(
  query: TypedDocumentNode<Data, { id: string }>,
  rowOf: (data: Data) => Row | null | undefined,
): (id: string) => Promise<Row | undefined> {
  const client = useApolloClient();
  return async (id) => {
    const { data } = await client.query({ query, variables: { id }, fetchPolicy: 'network-only' });
    return (data && rowOf(data)) ?? undefined;
  };
}
