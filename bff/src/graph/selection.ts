import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionNode,
} from 'graphql';

/** What only GraphQL's own execution has an answer to: a selection, or a value that breaks the schema's promise. */
export class Unfit extends Error {}

/** Takes from what a resolver returned what was selected. @throws Unfit, or what a scalar throws */
export type Complete = (value: unknown) => unknown;

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * The fields of selections by their names in the answer. The graph has neither interfaces nor unions, so whatever a fragment
 * holds is of the type that it stands in. @throws Unfit
 */
export function fieldsOf(selections: readonly SelectionNode[], fragments: Fragments): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const visit = (selection: SelectionNode) => {
    if (selection.directives?.length) throw new Unfit();
    if (selection.kind === Kind.FIELD) {
      const name = selection.alias?.value ?? selection.name.value;
      // No ordinary key of an object.
      if (name === '__proto__') throw new Unfit();
      fields.set(name, [...(fields.get(name) ?? []), selection]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      selection.selectionSet.selections.forEach(visit);
    } else if (!visited.has(selection.name.value)) {
      visited.add(selection.name.value);
      fragments.get(selection.name.value)?.selectionSet.selections.forEach(visit);
    }
  };
  selections.forEach(visit);
  return fields;
}

/** Of an object whose selected fields are plain properties. */
function completeObject(type: GraphQLObjectType, nodes: readonly FieldNode[], fragments: Fragments): Complete {
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  const fields = [...fieldsOf(selections, fragments)].map(([key, fieldNodes]) => {
    const property = fieldNodes[0]?.name.value ?? '';
    if (property === '__typename') return { key, property, complete: () => type.name };
    const field = type.getFields()[property];
    if (!field || field.resolve || field.args.length > 0) throw new Unfit();
    return { key, property, complete: completerOf(field.type, fieldNodes, fragments) };
  });
  return (value) => {
    if (typeof value !== 'object' || value === null || 'then' in value) throw new Unfit();
    const properties = value as Record<string, unknown>;
    const completed: Record<string, unknown> = {};
    for (const { key, property, complete } of fields) completed[key] = complete(properties[property]);
    return completed;
  };
}

function completePresent(type: GraphQLOutputType, nodes: readonly FieldNode[], fragments: Fragments): Complete {
  if (isListType(type)) {
    const complete = completerOf(type.ofType, nodes, fragments);
    return (value) => {
      if (!Array.isArray(value)) throw new Unfit();
      return value.map((item: unknown) => complete(item));
    };
  }
  if (isLeafType(type)) return (value) => type.serialize(value);
  if (isObjectType(type)) return completeObject(type, nodes, fragments);
  throw new Unfit();
}

/** How the values of a field are completed, worked out once for all of them. @throws Unfit */
export function completerOf(type: GraphQLOutputType, nodes: readonly FieldNode[], fragments: Fragments): Complete {
  const complete = completePresent(getNullableType(type), nodes, fragments);
  return (value) => {
    if (value !== null && value !== undefined) return complete(value);
    if (isNonNullType(type)) throw new Unfit();
    return null;
  };
}
