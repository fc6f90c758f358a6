import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import type { Context } from '../context';
import { messages } from '../messages';

/** The error that started it, below the layers that GraphQL wraps around it. */
const rootOf = (error: unknown): unknown =>
  error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;

/** Ours to mend (no code yet, when they reach a plugin) or the core's; a visitor's mistakes are no news. */
const isFault = ({ extensions }: GraphQLError): boolean =>
  extensions.code === undefined || extensions.code === 'UPSTREAM_UNAVAILABLE';

/** Logs every fault with the request that met it. */
export const logFaults = (log: Logger): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    async didEncounterErrors({ errors, contextValue }) {
      for (const error of errors.filter(isFault)) {
        const level = error.extensions.code ? 'warn' : 'error';
        log[level]({ requestId: contextValue.requestId, path: error.path?.join('.'), err: rootOf(error) });
      }
    },
  }),
});

/** A fault of ours says nothing of its inside to the screen. */
export function formatError(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const code = formatted.extensions?.code;
  if (code !== 'INTERNAL_SERVER_ERROR') return formatted;
  return { message: messages.internal, path: formatted.path, extensions: { code } };
}
