import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { ListRow } from './ListRow';
import type { useVirtualRows } from './useVirtualRows';

interface VirtualListProps<Row> extends Omit<HTMLChakraProps<'ul'>, 'children'> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  virtual: ReturnType<typeof useVirtualRows<HTMLUListElement>>;
  children: (row: Row) => ReactNode;
}

/** A list that mounts only the rows that `useVirtualRows` returns. */
export function VirtualList<Row>({ rows, rowKey, virtual, children, ...rest }: VirtualListProps<Row>) {
  const { container, parts, measure, onFocus, isVirtual } = virtual;
  return (
    <chakra.ul {...rest} ref={container} onFocus={onFocus}>
      {parts.map((part) => {
        if (part.kind === 'spacer') return <li key={part.key} aria-hidden style={{ height: part.heightPx }} />;
        const row = rows[part.index];
        if (row === undefined) return null;
        return (
          <ListRow
            as="li"
            key={rowKey(row)}
            id={rowKey(row)}
            ref={measure}
            data-index={part.index}
            aria-setsize={isVirtual ? rows.length : undefined}
            aria-posinset={isVirtual ? part.index + 1 : undefined}
          >
            {children(row)}
          </ListRow>
        );
      })}
    </chakra.ul>
  );
}
