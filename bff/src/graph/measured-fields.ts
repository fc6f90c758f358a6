import type { ApolloServerPlugin } from '@apollo/server';
import { defaultFieldResolver, type GraphQLObjectType } from 'graphql';
import type { Context } from '../context';
import type { Metrics } from '../http/metrics';

function wrapResolvers(type: GraphQLObjectType, metrics: Metrics): void {
  for (const [field, definition] of Object.entries(type.getFields())) {
    const { resolve = defaultFieldResolver } = definition;
    definition.resolve = async (...args) => {
      const startedAt = performance.now();
      let hasFailed = true;
      try {
        const value: unknown = await resolve(...args);
        hasFailed = false;
        return value;
      } finally {
        metrics.recordField(`${type.name}.${field}`, hasFailed, performance.now() - startedAt);
      }
    };
  }
}

/** Measures only the fields of `Query` and `Mutation`, because no other field calls the core. */
export const measureFields = (metrics: Metrics): ApolloServerPlugin<Context> => ({
  async serverWillStart({ schema }) {
    for (const type of [schema.getQueryType(), schema.getMutationType()]) if (type) wrapResolvers(type, metrics);
  },
});
