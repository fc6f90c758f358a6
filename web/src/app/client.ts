import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { currentToken, endSession } from '../lib/session';
import { fetchOrEarly } from './earlyAnswer';

const bearer = new SetContextLink(({ headers }) => {
  const token = currentToken();
  return token ? { headers: { ...headers, Authorization: `Bearer ${token}` } } : {};
});

/** Any 401 but a refused login ends the session; the guard then leads to /login, once. */
const logout = new ErrorLink(({ error, operation }) => {
  if (operation.operationName === 'Login') return;
  const unauthenticated = CombinedGraphQLErrors.is(error)
    ? error.errors.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')
    : ServerError.is(error) && error.statusCode === 401;
  if (unauthenticated) endSession();
});

const cache = new InMemoryCache({
  typePolicies: {
    Subdomain: { keyFields: ['subdomain'] },
    Settings: { keyFields: false },
    CreatedApiKey: { keyFields: false },
    ...Object.fromEntries(
      [
        'Account',
        'Administrator',
        'Project',
        'Tenant',
        'ContactMessage',
        'ApiKey',
        'GatewayService',
        'GatewayRoute',
      ].map((type) => [type, { keyFields: ['_id'] }]),
    ),
    // References are part of what holds them: a renamed project must not leave half a Project in the cache.
    ProjectReference: { keyFields: false },
    GatewayServiceReference: { keyFields: false },
    Query: {
      fields: {
        // One entry per page: appending stays flat at any length.
        subdomains: { keyArgs: ['page', 'limit', 'search'] },
        settings: { merge: false },
      },
    },
  },
});

/** The one client of the app. No deadline: product §9 gives it none. */
export const client = new ApolloClient({
  cache,
  link: ApolloLink.from([logout, bearer, new HttpLink({ uri: '/graphql', fetch: fetchOrEarly })]),
  defaultOptions: {
    watchQuery: {
      fetchPolicy: 'cache-and-network',
      // Only after that policy: a query that stays out of the cache must not look into it the next time.
      nextFetchPolicy: (current) => (current === 'cache-and-network' ? 'cache-first' : current),
    },
  },
});
