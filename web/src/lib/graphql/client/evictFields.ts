import type { ApolloCache } from '@apollo/client';

/** Returns an `update` for a mutation. Afterwards, the queries with these names are read from the server again. */
export const evictFields =
  (...fieldNames: readonly string[]) =>
  (cache: ApolloCache): void => {
    for (const fieldName of fieldNames) cache.evict({ fieldName });
  };
