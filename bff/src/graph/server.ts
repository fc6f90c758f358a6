import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import type { Logger } from 'pino';
import type { Context } from '../context';
import { formatError, logFaults } from './faults';
import { introspectionForAdministrators } from './introspection';
import { limits, MAX_TOKENS } from './limits';
import { resolvers } from './resolvers';

/** The contract lies at the top of the tree, for all workspaces; from `src/graph` and `dist/graph` alike. */
const SCHEMA = join(__dirname, '../../../schema.graphql');

/** The GraphQL server, not started yet. */
export function createGraph({ playground }: { playground: boolean }, log: Logger): ApolloServer<Context> {
  return new ApolloServer<Context>({
    typeDefs: readFileSync(SCHEMA, 'utf8'),
    resolvers,
    introspection: playground,
    validationRules: limits,
    parseOptions: { maxTokens: MAX_TOKENS },
    formatError,
    hideSchemaDetailsFromClientErrors: true,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    logger: log,
    plugins: [ApolloServerPluginLandingPageDisabled(), logFaults(log), introspectionForAdministrators],
  });
}
