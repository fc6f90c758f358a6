import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import { fieldsOf } from './fields-of';

/**
 * Returns the `fields` parameter of a REST list, so that the core reads and sends only what a query selects. The fields
 * of such rows have the same names in the graph as in REST.
 * @param rows the field with the rows, if the resolved field is a page
 * @returns undefined, which asks for all fields, if the query selects none
 */
export function selectedFields(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  rows?: string,
): string | undefined {
  const childFieldsOf = (nodes: readonly FieldNode[]): FieldNode[] =>
    nodes.flatMap(({ selectionSet }) => (selectionSet ? fieldsOf(selectionSet, (name) => fragments[name]) : []));
  const selectedNodes = childFieldsOf(fieldNodes);
  const rowFields =
    rows === undefined ? selectedNodes : childFieldsOf(selectedNodes.filter(({ name }) => name.value === rows));
  const names = [...new Set(rowFields.map(({ name }) => name.value))].filter((name) => name !== '__typename');
  return names.length > 0 ? names.join(',') : undefined;
}
