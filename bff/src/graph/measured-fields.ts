import type { ApolloServerPlugin } from '@apollo/server';
import { defaultFieldResolver, type GraphQLObjectType } from 'graphql';
import type { Context } from '../context';
import type { Metrics } from '../http/metrics';

function measure(type: GraphQLObjectType, metrics: Metrics): void {
  for (const [field, definition] of Object.entries(type.getFields())) {
    const { resolve = defaultFieldResolver } = definition;
    definition.resolve = async (...args) => {
      const startedAt = performance.now();
      let failed = true;
      try {
        const value: unknown = await resolve(...args);
        failed = false;
        return value;
      } finally {
        metrics.recordField(`${type.name}.${field}`, failed, performance.now() - startedAt);
      }
    };
  }
}

/** Measures the fields of `Query` and `Mutation`; the fields below them are plain properties. */
export const measuredFields = (metrics: Metrics): ApolloServerPlugin<Context> => ({
  async serverWillStart({ schema }) {
    for (const type of [schema.getQueryType(), schema.getMutationType()]) {
      if (type) measure(type, metrics);
    }
  },
});
