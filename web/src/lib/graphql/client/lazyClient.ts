import type { ApolloClient } from '@apollo/client';

/** Loads the GraphQL client. The pages of visitors call it on first focus to load ahead, and again to send. */
export const loadClient = (): Promise<ApolloClient> => import('./client').then(({ client }) => client);
