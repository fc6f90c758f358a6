import type { ApolloServerPlugin } from '@apollo/server';
import { type DocumentNode, Kind, visit } from 'graphql';
import type { Context } from '../context';
import { succeeded } from '../core/client';
import { unauthenticated } from '../core/errors';
import { messages } from '../messages';

const asksForTheSchema = (document: DocumentNode): boolean => {
  let asks = false;
  visit(document, {
    [Kind.FIELD]: ({ name }) => {
      if (name.value === '__schema' || name.value === '__type') asks = true;
    },
  });
  return asks;
};

/** Introspection is for the playground: only with a token that the core accepts as an administrator's. */
export const introspectionForAdministrators: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async didResolveOperation({ document, contextValue }) {
      if (!asksForTheSchema(document)) return;
      await succeeded(contextValue.core.GET('/me')).catch((error) => {
        throw error.extensions.code === 'UNAUTHENTICATED' ? unauthenticated(messages.introspection) : error;
      });
    },
  }),
};
