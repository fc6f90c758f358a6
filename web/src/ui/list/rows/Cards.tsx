import { memo, type ReactNode } from 'react';
import { getHeadingText, renderCell } from '../column';
import { useVirtualRows } from '../virtual/useVirtualRows';
import { VirtualList } from '../virtual/VirtualList';
import styles from './List.module.css';
import type { ListViewProps, RowContent } from './listView';
import { RowNameContext } from './RowAction';

/** The card is memoized, so that it renders again only if its row changes. */
const Card = memo(function Card<Row>({
  row,
  columns,
  actions,
  getRowName = (item) => getHeadingText(columns, item),
  headingLevel,
}: RowContent<Row> & Pick<ListViewProps<Row>, 'headingLevel'>) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3';
  return (
    <article className={styles.card}>
      {columns.map((column) => column.isHeading && <Heading key={column.id}>{renderCell(column, row)}</Heading>)}
      <dl>
        {columns
          .filter(({ isHeading }) => !isHeading)
          .map((column) => (
            <div key={column.id}>
              <dt>{column.header}</dt>
              <dd>{renderCell(column, row)}</dd>
            </div>
          ))}
      </dl>
      {actions && (
        <div className={styles.cardActions}>
          <RowNameContext value={getRowName(row)}>{actions(row)}</RowNameContext>
        </div>
      )}
    </article>
  );
}) as <Row>(content: RowContent<Row> & Pick<ListViewProps<Row>, 'headingLevel'>) => ReactNode;

/** A list as cards, for narrow screens. Use it through `DataList`. */
export function Cards<Row>({ list, label, rowKey, actions, getRowName, headingLevel = 2 }: ListViewProps<Row>) {
  const { rows, columns, matchCount } = list;
  const virtual = useVirtualRows({ rows, rowKey, rowHeightPx: 200, total: matchCount });
  const shares = columns.filter(({ isHeading }) => !isHeading).map(({ flex = 1 }) => `minmax(0, ${flex}fr)`);
  return (
    <VirtualList className={styles.cards} style={{ '--shares': shares.join(' ') }} aria-label={label} virtual={virtual}>
      {(row) => (
        <Card row={row} columns={columns} actions={actions} getRowName={getRowName} headingLevel={headingLevel} />
      )}
    </VirtualList>
  );
}
