import type { ComponentProps, ReactNode } from 'react';
import { EmptyState, NoMatch } from '../feedback/EmptyState';
import { QueryState } from '../feedback/QueryState';
import { SectionHeading } from '../layout/Page';
import { ListFooter } from './ListFooter';
import type { List } from './list';
import type { Nouns } from './list.messages';
import { DataList } from './rows/DataList';
import type { ListViewProps } from './rows/listView';
import { Sentinel } from './Sentinel';
import { ListToolbar } from './toolbar/ListToolbar';

interface ListRowsProps<Row> extends Omit<ListViewProps<Row>, 'list' | 'rowKey'> {
  list: List<Row>;
  nouns: Nouns;
  /** Shown if the list has no rows: an `EmptyState`. */
  empty: ReactNode;
  /** Custom content for the rows. Default: a table or cards. */
  children?: ReactNode;
}

const getRowId = ({ _id }: { _id: string }): string => _id;

/** Loads the next page near the end of the list, or by the button. The `key` makes a new `Sentinel` for each page. */
function MoreRows({ count, isLoading, isFailed, load }: NonNullable<List<never>['nextPage']> & { count: number }) {
  return (
    <>
      {!isLoading && !isFailed && <Sentinel key={count} onNear={load} />}
      <ListFooter onMore={load} isPending={isLoading} />
    </>
  );
}

/** A loaded list: its rows below the toolbar, or the reason why there are none. */
export function ListRows<Row extends { _id: string }>({ list, nouns, empty, children, ...view }: ListRowsProps<Row>) {
  if (list.total === 0) return empty;
  return (
    <>
      <ListToolbar list={list} nouns={nouns} hasCustomRows={children !== undefined} />
      {list.rows.length > 0 ? (
        <>
          {children ?? <DataList {...view} list={list} rowKey={getRowId} />}
          {list.nextPage && <MoreRows count={list.rows.length} {...list.nextPage} />}
        </>
      ) : (
        <NoMatch
          search={list.appliedSearch}
          onClear={() => {
            list.setSearch('');
            list.filter?.setValue('');
          }}
        />
      )}
    </>
  );
}

interface ListTexts {
  title: string;
  nouns: Nouns;
  empty: string;
}

interface ListQueryViewProps<Row> extends Omit<ListRowsProps<Row>, 'list' | 'label' | 'nouns' | 'empty'> {
  /** The result of `useListQuery`. */
  query: { list: List<Row>; state: Omit<ComponentProps<typeof QueryState>, 'children'> };
  texts: ListTexts;
}

/** Shows the list of a query as a table or as cards, or a skeleton or an error. */
export const ListQueryView = <Row extends { _id: string }>({
  query: { list, state },
  texts,
  ...rows
}: ListQueryViewProps<Row>) => (
  <QueryState {...state}>
    <ListRows list={list} label={texts.title} nouns={texts.nouns} empty={<EmptyState text={texts.empty} />} {...rows} />
  </QueryState>
);

interface ListSectionProps<Row> extends ListQueryViewProps<Row> {
  texts: ListTexts & { text?: string };
  /** The main action, beside the heading. */
  action?: ReactNode;
}

/** The list of a query below its heading. */
export const ListSection = <Row extends { _id: string }>({ action, ...list }: ListSectionProps<Row>) => (
  <>
    <SectionHeading title={list.texts.title} text={list.texts.text} action={action} />
    <ListQueryView headingLevel={3} {...list} />
  </>
);
