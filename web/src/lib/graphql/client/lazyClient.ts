import type { ApolloClient } from '@apollo/client';

/** Loads the GraphQL client. Forms for visitors preload it when a field gets the focus, and use it to send. */
export const loadClient = (): Promise<ApolloClient> => import('./client').then(({ client }) => client);
