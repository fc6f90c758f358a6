import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  type DocumentNode,
  defaultFieldResolver,
  execute,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { type Complete, completerOf, type Fragments, fieldsOf, Unfit } from './selection';

type Gateway = ApolloServerOptionsWithGateway<object>['gateway'];

const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(
    definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((definition) => [definition.name.value, definition]),
  );

/** A value that is in the answer as it is. */
const COMPLETED = new GraphQLNonNull(new GraphQLScalarType({ name: 'Completed' }));

/** Finds how a resolver's value is completed. */
type CompleterOf = (node: FieldNode | undefined) => Complete;

/** The fields of `Query` that are lists, as leaves: their resolvers return rows that are completed. */
function withLeaves(schema: GraphQLSchema, completer: CompleterOf): GraphQLSchema {
  const fields = schema.getQueryType()?.getFields() ?? {};
  const lists = Object.entries(schema.getQueryType()?.toConfig().fields ?? {}).filter(
    // A null in a list that may be null would end the whole answer here.
    ([, { type }]) => isNonNullType(type) && isListType(type.ofType) && isObjectType(getNamedType(type)),
  );
  const leaves = lists.map(([name, config]) => {
    const resolve: typeof defaultFieldResolver = async (source, values, context, info) => {
      // Looked up each time: plugins put theirs around it.
      const rows: unknown = await (fields[name]?.resolve ?? defaultFieldResolver)(source, values, context, info);
      try {
        return completer(info.fieldNodes[0])(rows);
      } catch (error) {
        throw new Unfit('', { cause: error });
      }
    };
    return [name, { ...config, type: COMPLETED, resolve }] as const;
  });
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: Object.fromEntries(leaves) }) });
}

/**
 * Executes a schema for Apollo Server, which takes an executor from a "gateway" only. Queries of nothing but whole lists have
 * their rows completed at once, everything else runs field by field as GraphQL has it; the answers are the same.
 */
export function wholeLists(schema: GraphQLSchema): Gateway {
  const completers = new WeakMap<FieldNode, Complete>();
  const leaves = withLeaves(schema, (node) => {
    const complete = node && completers.get(node);
    if (!complete) throw new Unfit();
    return complete;
  });
  const types = schema.getQueryType()?.getFields() ?? {};

  /** Whether all of an operation can be completed at once. */
  function prepare({ operation, selectionSet }: OperationDefinitionNode, document: DocumentNode): boolean {
    if (operation !== OperationTypeNode.QUERY) return false;
    try {
      const fragments = fragmentsOf(document);
      for (const nodes of fieldsOf(selectionSet.selections, fragments).values()) {
        const [first] = nodes;
        const name = first?.name.value ?? '';
        const list = types[name];
        if (!first || !list || !leaves.getQueryType()?.getFields()[name]) return false;
        if (!completers.has(first)) completers.set(first, completerOf(list.type, nodes, fragments));
      }
      return true;
    } catch (error) {
      if (error instanceof Unfit) return false;
      throw error;
    }
  }

  return {
    onSchemaLoadOrUpdate(use) {
      use({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: async () => ({
      async executor({ document, operation, operationName, request: { variables }, context }) {
        const args = { document, operationName, variableValues: variables, contextValue: context };
        if (prepare(operation, document)) {
          const result = await execute({ ...args, schema: leaves });
          // Asked again only where the core broke its contract: the errors of that are GraphQL's own.
          if (!result.errors?.some(({ originalError }) => originalError instanceof Unfit)) return result;
        }
        return execute({ ...args, schema });
      },
    }),
    stop: async () => undefined,
  };
}
