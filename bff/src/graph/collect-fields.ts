import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/**
 * Returns the fields of a selection set, including the fields of its fragments. Each fragment is visited once, because
 * a chain of fragments that each spread the next fragment twice would double the work at each step.
 */
export function collectFields(
  selectionSet: SelectionSetNode,
  findFragment: (name: string) => FragmentDefinitionNode | null | undefined,
): FieldNode[] {
  const visited = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return collect(selection.selectionSet);
      const name = selection.name.value;
      if (visited.has(name)) return [];
      visited.add(name);
      const fragment = findFragment(name);
      return fragment ? collect(fragment.selectionSet) : [];
    });
  return collect(selectionSet);
}
