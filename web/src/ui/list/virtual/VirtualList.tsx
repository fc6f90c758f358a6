import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { ListRow } from '../rows/ListRow';
import type { useVirtualRows } from './useVirtualRows';

interface VirtualListProps<Row> extends Omit<HTMLChakraProps<'ul'>, 'children'> {
  virtual: ReturnType<typeof useVirtualRows<Row>>;
  children: (row: Row) => ReactNode;
}

/** A list of the rows that `useVirtualRows` or `useVirtualRowsIn` mounts. */
export function VirtualList<Row>({ virtual, children, ...rest }: VirtualListProps<Row>) {
  const { container, parts, measure, onFocus, announcedCount } = virtual;
  return (
    <chakra.ul {...rest} ref={container} onFocus={onFocus}>
      {parts.map((part) =>
        part.kind === 'spacer' ? (
          <li key={part.key} aria-hidden style={{ height: part.heightPx }} />
        ) : (
          <ListRow
            as="li"
            key={part.key}
            id={part.key}
            ref={measure}
            data-index={part.index}
            aria-setsize={announcedCount}
            aria-posinset={announcedCount && part.index + 1}
          >
            {children(part.row)}
          </ListRow>
        ),
      )}
    </chakra.ul>
  );
}
