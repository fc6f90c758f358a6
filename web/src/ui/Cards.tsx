import type { DataListProps } from './DataList';
import styles from './List.module.css';
import { ListRow } from './ListRow';
import { useWindowRows } from './useWindowRows';

/** A list as cards, for narrow screens. Use it through `DataList`. */
export function Cards<Row>({ list: { rows, columns }, label, rowKey, actions, headingLevel = 2 }: DataListProps<Row>) {
  const { container, places, measure, onFocus, virtual } = useWindowRows<HTMLUListElement>(rows.length, 200);
  const Heading = headingLevel === 2 ? 'h2' : 'h3';
  const lines = columns.filter(({ heading }) => !heading);
  return (
    <ul ref={container} className={styles.cards} aria-label={label} onFocus={onFocus}>
      {places.map((place) => {
        if (place.kind === 'gap') return <li key={place.key} aria-hidden style={{ height: place.height }} />;
        const row = rows[place.index];
        if (row === undefined) return null;
        return (
          <ListRow
            as="li"
            key={rowKey(row)}
            id={rowKey(row)}
            ref={measure}
            data-index={place.index}
            aria-setsize={virtual ? rows.length : undefined}
            aria-posinset={virtual ? place.index + 1 : undefined}
          >
            <article className={styles.card}>
              {columns.map((column) => column.heading && <Heading key={column.id}>{column.cell(row)}</Heading>)}
              <dl>
                {lines.map((column) => (
                  <div key={column.id}>
                    <dt>{column.header}</dt>
                    <dd>{column.cell(row)}</dd>
                  </div>
                ))}
              </dl>
              {actions && <div className={styles.cardActions}>{actions(row)}</div>}
            </article>
          </ListRow>
        );
      })}
    </ul>
  );
}
