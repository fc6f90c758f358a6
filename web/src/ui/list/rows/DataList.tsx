import { Cards } from './Cards';
import type { ListViewProps } from './listView';
import { Table } from './Table';
import { useIsTable } from './useIsTable';

/** A list as a table if it fits, otherwise as cards. From 100 rows on, only the rows near the window are mounted. */
export function DataList<Row>(props: ListViewProps<Row>) {
  return useIsTable(props.list.columns) ? <Table {...props} /> : <Cards {...props} />;
}
