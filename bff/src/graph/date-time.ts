import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new GraphQLError('DateTime must be a string in ISO 8601.');
};

/**
 * An instant in ISO 8601. The core validates inputs and refuses a bad one with a sentence for the field, so this scalar
 * passes texts on as they are.
 */
export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  serialize: asText,
  parseValue: asText,
  parseLiteral: (node) => asText(node.kind === Kind.STRING ? node.value : undefined),
});
