import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import type { Context } from '../context';
import { messages } from '../messages';

/** The original error inside GraphQL's wrappers. */
const findRootCause = (error: unknown): unknown =>
  error instanceof GraphQLError && error.originalError ? findRootCause(error.originalError) : error;

/** Whether this process or the core caused the error. Errors of this process have no code yet when plugins see them. */
const isServerError = ({ extensions }: GraphQLError): boolean =>
  extensions.code === undefined || extensions.code === 'UPSTREAM_UNAVAILABLE';

/** Logs every server error with its request id. */
export const logServerErrors = (log: Logger): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    async didEncounterErrors({ errors, contextValue }) {
      for (const error of errors.filter(isServerError)) {
        const level = error.extensions.code ? 'warn' : 'error';
        log[level]({ requestId: contextValue.requestId, path: error.path?.join('.'), err: findRootCause(error) });
      }
    },
  }),
});

/** Hides the details of internal errors. */
export function formatError(error: GraphQLFormattedError): GraphQLFormattedError {
  const code = error.extensions?.code;
  if (code !== 'INTERNAL_SERVER_ERROR') return error;
  return { message: messages.internal, path: error.path, extensions: { code } };
}
