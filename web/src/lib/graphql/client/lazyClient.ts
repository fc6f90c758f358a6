import type { ApolloClient } from '@apollo/client';
import { createContext, useContext } from 'react';

/** Loads the GraphQL client. Public pages load it on first focus, so that their first paint does not wait. */
export const ClientLoaderContext = createContext<() => Promise<ApolloClient>>(() =>
  Promise.reject(new Error('no client loader above this component')),
);

/**
 * Returns a function that loads the client once, for pages of visitors. A page calls it on first focus to load ahead,
 * and again to send.
 */
export const useClientLoader = (): (() => Promise<ApolloClient>) => useContext(ClientLoaderContext);
