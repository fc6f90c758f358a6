import { chakra } from '@chakra-ui/react';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { type QueryResult, useQueryState } from '../../lib/graphql/query/useQueryState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Page } from '../../ui/layout/Page';
import { PageMessage } from '../../ui/layout/PageMessage';

const MutedLink = chakra(Link, {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    minHeight: '28px',
    marginLeft: '-1',
    color: 'fg.muted',
    fontWeight: 'medium',
    _hover: { color: 'fg' },
  },
});

/** A link from the page of an entity to its list. */
export const BackLink = ({ to, label }: { to: string; label: string }) => (
  <MutedLink to={to}>
    <ChevronLeft aria-hidden size={16} />
    {label}
  </MutedLink>
);

interface EntityPageProps<Data, Row> {
  query: QueryResult<Data>;
  /** Returns null or undefined if the entity does not exist. */
  selectRow: (data: Data) => Row | null | undefined;
  messages: {
    /** Shown while the entity loads. */
    title: string;
    /** The label of the link to the list. */
    list: string;
    /** The message of a failed load if the server's error has none. */
    failure: string;
    missing: { title: string; text: string; action: string };
  };
  listPath: string;
  children: (row: Row) => ReactNode;
}

/** The page of one entity: a skeleton while it loads, `children`, or a message if the entity does not exist. */
export function EntityPage<Data, Row>({ query, selectRow, messages, listPath, children }: EntityPageProps<Data, Row>) {
  const { data, state } = useQueryState(query, { failureMessage: messages.failure });
  const { missing } = messages;
  const row = data && selectRow(data);
  if (row) return children(row);
  if (data) {
    return (
      <PageMessage title={missing.title} text={missing.text}>
        <Link to={listPath}>{missing.action}</Link>
      </PageMessage>
    );
  }
  return (
    <Page title={messages.title} back={<BackLink to={listPath} label={messages.list} />}>
      <QueryState {...state}>{null}</QueryState>
    </Page>
  );
}

/** Returns a function that opens the list after a removal. In the history, the list replaces the page. */
export function useOpenList(listPath: string): () => void {
  const navigate = useNavigate();
  return () => void navigate(listPath, { replace: true });
}
