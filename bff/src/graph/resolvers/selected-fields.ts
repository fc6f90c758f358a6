import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import { collectFields } from '../collect-fields';

/**
 * Returns the `fields` parameter of a REST list, so that the core reads and sends only the fields that a query selects.
 * The fields of the rows have the same names in the graph as in REST.
 * @param rowsField the field with the rows, if the resolved field is a page
 * @returns undefined, which asks for all fields, if the query selects no field
 */
export function getSelectedFields(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  rowsField?: string,
): string | undefined {
  const listFields = (nodes: readonly FieldNode[]): FieldNode[] =>
    nodes.flatMap(({ selectionSet }) => (selectionSet ? collectFields(selectionSet, (name) => fragments[name]) : []));
  const selectedNodes = listFields(fieldNodes);
  const rowFields =
    rowsField === undefined ? selectedNodes : listFields(selectedNodes.filter(({ name }) => name.value === rowsField));
  const names = [...new Set(rowFields.map(({ name }) => name.value))].filter((name) => name !== '__typename');
  return names.length > 0 ? names.join(',') : undefined;
}
