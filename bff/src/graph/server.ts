import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { Logger } from 'pino';
import type { Context } from '../context';
import type { Metrics } from '../http/metrics';
import { formatError, logServerErrors } from './error-reporting';
import { introspectionWithToken } from './introspection';
import { limits, MAX_TOKENS } from './limits';
import { measureFields } from './measured-fields';
import { resolvers } from './resolvers';

/** The schema is at the root of the repository. The path is the same from `src/graph` and `dist/graph`. */
const SCHEMA = join(__dirname, '../../../schema.graphql');

/** Creates the GraphQL server; the caller starts it. */
export function createGraphServer(
  { playground }: { playground: boolean },
  log: Logger,
  metrics: Metrics,
): ApolloServer<Context> {
  return new ApolloServer<Context>({
    schema: makeExecutableSchema({ typeDefs: readFileSync(SCHEMA, 'utf8'), resolvers }),
    introspection: playground,
    validationRules: limits,
    parseOptions: { maxTokens: MAX_TOKENS },
    formatError,
    hideSchemaDetailsFromClientErrors: true,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    logger: log,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // Apollo's cache control would look up a hint for every field of every row, but `Cache-Control` is always the
      // same (`http/headers.ts`).
      ApolloServerPluginCacheControlDisabled(),
      logServerErrors(log),
      introspectionWithToken,
      measureFields(metrics),
    ],
  });
}
