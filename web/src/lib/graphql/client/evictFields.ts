import type { ApolloCache } from '@apollo/client';

/** Returns an `update` for a mutation. After the mutation, these queries are read from the server again. */
export const evictFields =
  (...fieldNames: readonly string[]) =>
  (cache: ApolloCache): void => {
    for (const fieldName of fieldNames) cache.evict({ fieldName });
  };
