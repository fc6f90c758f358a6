import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { GraphQLError, type ValidationContext, type ValidationRule } from 'graphql';
import { collectFields } from './collect-fields';

/** Maximum number of tokens of a document. A longer document has a syntax error (HTTP 400). */
export const MAX_TOKENS = 1_000;

/** Reports a violation as an error of the document (HTTP 400). The default of graphql-armor is to throw (HTTP 500). */
const errorReporting = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
};

/** Allows one root field per mutation: five aliases would be five guesses at a password. */
const oneRootMutation: ValidationRule = (context) => ({
  OperationDefinition(operation) {
    if (operation.operation !== 'mutation') return;
    if (collectFields(operation.selectionSet, (name) => context.getFragment(name)).length <= 1) return;
    context.reportError(new GraphQLError('Only one mutation is allowed per request.', { nodes: operation }));
  },
});

export const limits: ValidationRule[] = [
  maxDepthRule({ n: 8, flattenFragments: true, ...errorReporting }),
  maxAliasesRule({ n: 5, ...errorReporting }),
  costLimitRule({ maxCost: 5_000, ...errorReporting }),
  oneRootMutation,
];
