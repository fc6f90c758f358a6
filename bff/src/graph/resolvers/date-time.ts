import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new GraphQLError('DateTime must be a string in ISO 8601.');
};

/**
 * An instant in ISO 8601. This scalar passes every text on, because the core refuses an invalid instant with a message
 * for its field.
 */
export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  serialize: asText,
  parseValue: asText,
  parseLiteral: (node) => asText(node.kind === Kind.STRING ? node.value : undefined),
});
