import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { Column } from './columns';
import type { DataListProps } from './DataList';
import styles from './List.module.css';
import { ListRow } from './ListRow';
import { uiMessages } from './ui.messages';
import type { List } from './useList';
import { useWindowRows } from './useWindowRows';

function Header<Row>({ column, list: { sort, setSort } }: { column: Column<Row>; list: List<Row> }) {
  const active = sort?.column === column.id;
  const descending = active && sort.descending;
  const Icon = active ? (descending ? ArrowDown : ArrowUp) : ChevronsUpDown;
  return (
    <th
      scope="col"
      style={{ width: column.width }}
      data-align={column.align}
      aria-sort={active ? (descending ? 'descending' : 'ascending') : undefined}
    >
      {column.sort ? (
        <button type="button" onClick={() => setSort({ column: column.id, descending: active && !descending })}>
          {column.header}
          <Icon aria-hidden size={14} />
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

/** A list as table. Use it through `DataList`. */
export function Table<Row>({ list, label, rowKey, actions, actionsWidth = '216px' }: DataListProps<Row>) {
  const { rows, columns } = list;
  const { container, places, measure, onFocus, virtual } = useWindowRows<HTMLTableElement>(rows.length, 53);
  const span = columns.length + (actions ? 1 : 0);
  return (
    <div className={styles.panel}>
      <table
        ref={container}
        className={styles.table}
        aria-label={label}
        aria-rowcount={virtual ? rows.length + 1 : undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <Header key={column.id} column={column} list={list} />
            ))}
            {actions && (
              <th scope="col" data-align="end" className={styles.actionsHeader} style={{ '--actions': actionsWidth }}>
                {uiMessages.actions}
              </th>
            )}
          </tr>
        </thead>
        <tbody onFocus={onFocus}>
          {places.map((place) => {
            if (place.kind === 'gap') {
              return (
                <tr key={place.key} aria-hidden className={styles.gap}>
                  <td colSpan={span} style={{ height: place.height }} />
                </tr>
              );
            }
            const row = rows[place.index];
            if (row === undefined) return null;
            return (
              <ListRow
                as="tr"
                key={rowKey(row)}
                id={rowKey(row)}
                ref={measure}
                data-index={place.index}
                aria-rowindex={virtual ? place.index + 2 : undefined}
              >
                {columns.map((column) => (
                  <td key={column.id} data-align={column.align}>
                    {column.cell(row)}
                  </td>
                ))}
                {actions && (
                  <td data-align="end">
                    <div className={styles.actions}>{actions(row)}</div>
                  </td>
                )}
              </ListRow>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
