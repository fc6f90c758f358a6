import {
  ApolloClient,
  ApolloLink,
  HttpLink,
  InMemoryCache,
  type OperationVariables,
  type TypedDocumentNode,
} from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { from, mergeMap } from 'rxjs';
import { expireSession, getAccount, getToken, watchSession } from '../../session/session';
import { askForPassword } from '../../session/sudo';
import { isSudoRequired } from '../../userError';
import { alertPages, auditPages, createCursorPagesPolicy, messagePages, subdomainPages } from '../query/listPages';
import { fetchWithStatus } from './connection';
import { createRefetchEventManager } from './refetchEvents';

const tokenLink = new SetContextLink(({ headers }) => {
  const token = getToken();
  return token ? { headers: { ...headers, Authorization: `Bearer ${token}` } } : {};
});

const hasCode = (error: unknown, code: string) =>
  CombinedGraphQLErrors.is(error) && error.errors.some(({ extensions }) => extensions?.code === code);

/**
 * Any 401 except a refused login ends the session, and `RequireAuth` then redirects to /login. After a 403 the rights
 * of the account (`Access`) are read again, because they may have been withdrawn. A refused `Access` is not repeated.
 */
const sessionLink = new ErrorLink(({ error, operation: { operationName } }) => {
  if (operationName === 'Login') return;
  if (hasCode(error, 'UNAUTHENTICATED') || (ServerError.is(error) && error.statusCode === 401)) expireSession();
  if (hasCode(error, 'FORBIDDEN') && operationName !== 'Access') void client.refetchQueries({ include: ['Access'] });
});

/** If a call requires the password again, asks for the password and repeats the call. */
const sudoLink = new ErrorLink(({ error, operation, forward }) => {
  if (!isSudoRequired(error)) return;
  return from(askForPassword()).pipe(
    mergeMap((isConfirmed) => {
      if (!isConfirmed) throw new DOMException('The password was not entered.', 'AbortError');
      return forward(operation);
    }),
  );
});

const cache = new InMemoryCache({
  typePolicies: {
    // Apollo identifies the other types by their `_id`.
    Subdomain: { keyFields: ['subdomain'] },
    Settings: { keyFields: false },
    CreatedApiKey: { keyFields: false },
    // References are cached within the object that contains them. They have only some fields of a project or
    // service, or the label that a site had when the token was made.
    ProjectReference: { keyFields: false },
    TokenSite: { keyFields: false },
    GatewayServiceReference: { keyFields: false },
    // The counts of a subject depend on the range.
    SubjectMetrics: { keyFields: false },
    Tenant: { fields: { domainStatus: { merge: false } } },
    Query: {
      fields: {
        subdomains: subdomainPages,
        contactMessages: messagePages,
        alerts: alertPages,
        audit: auditPages,
        tenantPage: createCursorPagesPolicy('tenants', ['project']),
        projectPage: createCursorPagesPolicy('projects', []),
        apiKeyPage: createCursorPagesPolicy('apiKeys', ['status', 'permission']),
        gatewayRoutePage: createCursorPagesPolicy('gatewayRoutes', ['service']),
        settings: { merge: false },
      },
    },
  },
});

/** The GraphQL client of the app. Its requests have no time limit (product §9). */
export const client = new ApolloClient({
  cache,
  refetchEventManager: createRefetchEventManager(),
  link: ApolloLink.from([sessionLink, sudoLink, tokenLink, new HttpLink({ uri: '/graphql', fetch: fetchWithStatus })]),
  defaultOptions: {
    watchQuery: {
      fetchPolicy: 'cache-and-network',
      skipPollAttempt: () => document.hidden,
      // After a change of its variables, a query uses its first policy again, so that the cached rows of an earlier
      // filter are read again. Later reads use the cache, except those of a query without a cache.
      nextFetchPolicy: (current, { reason, initialFetchPolicy }) => {
        if (reason === 'variables-changed') return initialFetchPolicy;
        return current === 'cache-and-network' ? 'cache-first' : current;
      },
    },
  },
});

const getLoggedInAccount = () => (getToken() === null ? null : getAccount());
let cachedAccount = getLoggedInAccount();

/**
 * Clears the cache if the account has changed. A frozen tab may miss the logout between two logins in another tab, so
 * accounts are compared.
 */
function forgetPreviousAccount(): void {
  const previous = cachedAccount;
  cachedAccount = getLoggedInAccount();
  if (previous !== null && previous !== cachedAccount) void client.clearStore();
}

// Public pages are prerendered without a window.
if (typeof window !== 'undefined') watchSession(forgetPreviousAccount);

/** Reads data again, because another person may have changed them, and updates the cache. */
export async function readFresh<Data, Variables extends OperationVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data | undefined> {
  const options = { query, variables, fetchPolicy: 'network-only' } as ApolloClient.QueryOptions<Data, Variables>;
  return (await client.query(options)).data;
}
