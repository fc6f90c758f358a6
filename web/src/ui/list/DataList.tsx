import { Cards } from './Cards';
import type { ListViewProps } from './listView';
import { Table } from './Table';
import { useIsTable } from './useIsTable';

/** A list as table where there is room, else as cards; never both. From 100 rows on, only those near the window are mounted. */
export function DataList<Row>(props: ListViewProps<Row>) {
  return useIsTable(props.list.columns) ? <Table {...props} /> : <Cards {...props} />;
}
