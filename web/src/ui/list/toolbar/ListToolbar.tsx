import { Select } from '../../form/fields/SelectField';
import { formatSort, type List, parseSort } from '../list';
import { listMessages, type Nouns } from '../list.messages';
import styles from '../rows/List.module.css';
import { useIsTable } from '../rows/useIsTable';
import { SearchField } from './SearchField';

/** The select for the order of a list that is shown without column headers. */
function SortSelect<Row>({ list: { columns, sort, setSort } }: { list: List<Row> }) {
  const sortableColumns = columns.filter((column) => column.sort);
  if (sortableColumns.length === 0) return null;
  const options = sortableColumns.flatMap(({ id, header }) => [
    { value: id, label: listMessages.ascending(header) },
    { value: `-${id}`, label: listMessages.descending(header) },
  ]);
  return (
    <Select
      className={styles.select}
      aria-label={listMessages.sort}
      value={sort ? formatSort(sort) : ''}
      options={sort ? options : [{ value: '', label: listMessages.sort }, ...options]}
      onChange={(value) => setSort(parseSort(value))}
    />
  );
}

interface ListToolbarProps<Row> {
  list: List<Row>;
  nouns: Nouns;
  /** Whether the rows have a look of their own, without column headers at any width. */
  hasCustomRows: boolean;
}

/** The search, the filter and the number of matches above a list, and its order if there are no column headers. */
export function ListToolbar<Row>({ list, nouns, hasCustomRows }: ListToolbarProps<Row>) {
  const isTable = useIsTable(list.columns) && !hasCustomRows;
  const { filter } = list;
  return (
    <div className={styles.toolbar}>
      <SearchField label={listMessages.search(nouns)} value={list.search} onChange={list.setSearch} />
      {filter && (
        <Select
          className={styles.select}
          aria-label={filter.label}
          value={filter.value}
          options={[{ value: '', label: filter.allLabel }, ...filter.options]}
          onChange={filter.setValue}
        />
      )}
      {!isTable && <SortSelect list={list} />}
      <p className={styles.count} role="status">
        {listMessages.count(list.matchCount, list.total, nouns)}
      </p>
    </div>
  );
}
