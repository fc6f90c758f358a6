import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { GraphQLError, Kind, type SelectionSetNode, type ValidationContext, type ValidationRule } from 'graphql';

/** The parser stops here: a syntax error, HTTP 400. */
export const MAX_TOKENS = 1_000;

/** Reported like any other fault of a document (400); thrown, as is the rules' default, they would be the server's (500). */
const report = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
};

/** One write per request: five aliases would still be five guesses at a password. */
const oneRootMutation: ValidationRule = (context) => {
  // Each fragment is walked once: what it repeats, GraphQL merges, and a walk of every path could be made endless.
  const countFields = (set: SelectionSetNode, visited: Set<string>): number =>
    set.selections.reduce((total, selection) => {
      if (selection.kind === Kind.FIELD) return total + 1;
      if (selection.kind === Kind.INLINE_FRAGMENT) return total + countFields(selection.selectionSet, visited);
      const name = selection.name.value;
      if (visited.has(name)) return total;
      visited.add(name);
      const fragment = context.getFragment(name);
      return fragment ? total + countFields(fragment.selectionSet, visited) : total;
    }, 0);
  return {
    OperationDefinition(operation) {
      if (operation.operation === 'mutation' && countFields(operation.selectionSet, new Set()) > 1) {
        context.reportError(new GraphQLError('Only one mutation is allowed per request.', { nodes: operation }));
      }
    },
  };
};

export const limits: ValidationRule[] = [
  maxDepthRule({ n: 8, flattenFragments: true, ...report }),
  maxAliasesRule({ n: 5, ...report }),
  costLimitRule({ maxCost: 5_000, ...report }),
  oneRootMutation,
];
