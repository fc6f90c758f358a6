import type { ApolloServerPlugin } from '@apollo/server';
import { type DocumentNode, Kind, visit } from 'graphql';
import type { Context } from '../context';
import { unwrapVoid } from '../core/client';
import { createUnauthenticatedError } from '../core/errors';
import { messages } from '../messages';

const isIntrospection = (document: DocumentNode): boolean => {
  let hasSchemaField = false;
  visit(document, {
    [Kind.FIELD]: ({ name }) => {
      if (name.value === '__schema' || name.value === '__type') hasSchemaField = true;
    },
  });
  return hasSchemaField;
};

/** Answers introspection only if the core accepts the token of the request (decision 110). */
export const introspectionWithToken: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async didResolveOperation({ document, contextValue }) {
      if (!isIntrospection(document)) return;
      await unwrapVoid(contextValue.core.GET('/me')).catch((error) => {
        throw error.extensions.code === 'UNAUTHENTICATED' ? createUnauthenticatedError(messages.introspection) : error;
      });
    },
  }),
};
