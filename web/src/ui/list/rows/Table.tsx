import { Table as ChakraTable, chakra } from '@chakra-ui/react';
import { memo, type ReactNode } from 'react';
import type { RowIcon } from '../../theme/rowIcons';
import { type Column, getHeadingText, renderCell } from '../column';
import { listMessages } from '../list.messages';
import { ONE_LINE_ROW_PX, useVirtualRows } from '../virtual/useVirtualRows';
import styles from './List.module.css';
import { ListRow } from './ListRow';
import type { ListViewProps, RowContent } from './listView';
import { RowNameContext } from './RowAction';

function Header<Row>({ column, list: { sort, setSort } }: { column: Column<Row>; list: ListViewProps<Row>['list'] }) {
  const isActive = sort?.column === column.id;
  const order = isActive ? (sort.isDescending ? 'descending' : 'ascending') : undefined;
  const nextSort = { column: column.id, isDescending: isActive && !sort.isDescending };
  return (
    <th scope="col" style={{ width: column.width }} data-align={column.isNumeric && 'end'} aria-sort={order}>
      {column.sort && setSort ? (
        <button type="button" data-icon={(order ?? 'sortable') satisfies RowIcon} onClick={() => setSort(nextSort)}>
          {column.header}
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

/** The cells are memoized, so that they do not render again when the list is searched or scrolled. */
const Cells = memo(function Cells<Row>({
  row,
  columns,
  actions,
  getRowName = (item) => getHeadingText(columns, item),
}: RowContent<Row>) {
  return (
    <>
      {columns.map((column) => (
        <td key={column.id} data-align={column.isNumeric && 'end'}>
          {renderCell(column, row)}
        </td>
      ))}
      {actions && (
        <td data-align="end">
          <div className={styles.actions}>
            <RowNameContext value={getRowName(row)}>{actions(row)}</RowNameContext>
          </div>
        </td>
      )}
    </>
  );
}) as <Row>(content: RowContent<Row>) => ReactNode;

/** A list as a table. Use it through `DataList`. For screen readers the header is the row with the index 1. */
export function Table<Row>({
  list,
  label,
  rowKey,
  actions,
  getRowName,
  actionsWidth = '216px',
  actionCount = 3,
}: ListViewProps<Row>) {
  const { rows, columns, matchCount } = list;
  const { container, parts, measure, onFocus, announcedCount } = useVirtualRows({
    rows,
    rowKey,
    rowHeightPx: ONE_LINE_ROW_PX,
    total: matchCount,
  });
  return (
    <chakra.div layerStyle="panel" overflow="clip">
      <ChakraTable.Root native ref={container} aria-label={label} aria-rowcount={announcedCount && announcedCount + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Header key={column.id} column={column} list={list} />
            ))}
            {actions && (
              <th
                scope="col"
                data-align="end"
                className={styles.actionsHeader}
                style={{ '--actions': actionsWidth, '--action-count': String(actionCount) }}
              >
                {listMessages.actions}
              </th>
            )}
          </tr>
        </thead>
        <tbody onFocus={onFocus}>
          {parts.map((part) =>
            part.kind === 'spacer' ? (
              <tr key={part.key} aria-hidden>
                <td colSpan={columns.length + (actions ? 1 : 0)} style={{ height: part.heightPx }} />
              </tr>
            ) : (
              <ListRow
                as="tr"
                key={part.key}
                id={part.key}
                ref={measure}
                data-index={part.index}
                aria-rowindex={announcedCount && part.index + 2}
              >
                <Cells row={part.row} columns={columns} actions={actions} getRowName={getRowName} />
              </ListRow>
            ),
          )}
        </tbody>
      </ChakraTable.Root>
    </chakra.div>
  );
}
