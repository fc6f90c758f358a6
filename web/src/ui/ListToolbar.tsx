import type { ReactNode } from 'react';
import styles from './List.module.css';
import { SearchField } from './SearchField';
import { uiMessages } from './ui.messages';
import type { List } from './useList';
import { useWideScreen } from './useMediaQuery';

/** The order of a list without column headers. */
function SortSelect<Row>({ list: { columns, sort, setSort } }: { list: List<Row> }) {
  const options = columns.filter((column) => column.sort);
  if (options.length === 0) return null;
  return (
    <select
      className={styles.sort}
      aria-label={uiMessages.sort}
      value={sort ? `${sort.descending ? '-' : ''}${sort.column}` : ''}
      onChange={({ target: { value } }) =>
        setSort({ column: value.replace(/^-/, ''), descending: value.startsWith('-') })
      }
    >
      {!sort && <option value="">{uiMessages.sort}</option>}
      {options.map(({ id, header }) => [
        <option key={id} value={id}>
          {uiMessages.ascending(header)}
        </option>,
        <option key={`-${id}`} value={`-${id}`}>
          {uiMessages.descending(header)}
        </option>,
      ])}
    </select>
  );
}

interface ListToolbarProps<Row> {
  list: List<Row>;
  /** Names the search: "Buscar projetos". */
  label: string;
  children?: ReactNode;
}

/** Above a list: search, how many were found, the order on a phone; `children` is what else acts on the list. */
export function ListToolbar<Row>({ list, label, children }: ListToolbarProps<Row>) {
  const wide = useWideScreen();
  return (
    <div className={styles.toolbar}>
      <SearchField label={label} value={list.query} onChange={list.setQuery} />
      {!wide && <SortSelect list={list} />}
      <p className={styles.count} role="status">
        {uiMessages.count(list.rows.length, list.total)}
      </p>
      {children}
    </div>
  );
}
